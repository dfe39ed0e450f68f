import { z } from "zod";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const units: Record<string, string> = { string: " characters", array: " entries" };
const unitOf = (origin: string, count: number | bigint): string => {
  const unit = units[origin] ?? "";
  return Number(count) === 1 ? unit.replace(/ies$/, "y").replace(/s$/, "") : unit;
};

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const formats: Record<string, string> = {
  email: "an email address",
  url: "an address",
  uuid: "an id",
  date: "a date",
  datetime: "a date and time",
};

/** Returns a field's rule in plain words, for schemas without their own text. */
function textOf(issue: Issue): string {
  switch (issue.code) {
    case "too_big":
      return `at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? "must not be empty"
        : `at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case "invalid_type":
      return issue.input === undefined
        ? "is required"
        : `must be ${kinds[issue.expected] ?? "something else"}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "invalid_format":
      return issue.format in formats
        ? `must be ${formats[issue.format]}`
        : "has an unexpected format";
    default:
      return "is not valid";
  }
}

/** Installs these texts for every schema that has none. */
export function installValidationTexts(): void {
  z.config({ customError: textOf });
}

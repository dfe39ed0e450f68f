import { z } from "zod";
import { isInstant } from "#contract/instant.ts";

/** Fields shared by ads and campaigns. */

export const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `at most ${max} characters`)
    .transform((text) => (text === "" ? null : text))
    .nullable();

const dateTime = z.iso.datetime({ offset: true, local: true });
const day = z.iso.date();

/**
 * ISO 8601 date with or without seconds, in UTC if it has no zone. Converted to a UTC instant in
 * ISO form.
 */
export const optionalDateTime = z
  .string()
  .trim()
  .transform((text, context) => {
    if (text === "") return null;
    const isDay = day.safeParse(text).success;
    if (!isDay && !dateTime.safeParse(text).success) {
      context.addIssue({ code: "custom", message: "must be a date and time" });
      return z.NEVER;
    }
    const hasZone = isDay || /(z|[+-]\d{2}:?\d{2})$/i.test(text);
    const instant = hasZone ? text : `${text}Z`;
    if (!isInstant(instant)) {
      context.addIssue({ code: "custom", message: "must be a date from 1970 to 9999" });
      return z.NEVER;
    }
    return new Date(instant).toISOString();
  })
  .nullable();

export const optionalCount = (max: number, what: string) =>
  z
    .number({ error: `${what} must be a whole number` })
    .int(`${what} must be a whole number`)
    .min(1, `${what} must be at least 1`)
    .max(max, `${what} must be at most ${max}`)
    .nullable();

export const slug = z.string().trim().toLowerCase().min(1).max(120);
/** Language, optionally with a region: `en`, `pt-br`. */
export const language = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})?$/, "must be a language such as en or pt-br");

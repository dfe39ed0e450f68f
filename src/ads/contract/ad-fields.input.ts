import { z } from "zod";
import { isInstant } from "#contract/text-formats.ts";

/** Fields shared by ads and campaigns. */

export const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

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

/** Values and names of fields that a program may have meant as a start or an end. */
const dateValue = /^\d{4}-\d{2}-\d{2}([T ]|$)/;
const dateName = /^(starts?|ends?|from|until|begins?|expires?)(at|on|date|time)?$|date$|_at$/i;

/**
 * Refuses fields that look like a start or an end, but have another name. Other unknown fields are
 * ignored, but ignoring a start would run the campaign or ad at once.
 * @param known names of all fields of requests and responses, because programs send back what they
 * read.
 */
export const withKnownDates = <Schema extends z.ZodType>(
  schema: Schema,
  known: readonly string[],
) =>
  z.preprocess((body, context) => {
    if (typeof body !== "object" || body === null) return body;
    for (const [name, value] of Object.entries(body)) {
      if (known.includes(name)) continue;
      const isDate = dateName.test(name) || (typeof value === "string" && dateValue.test(value));
      if (!isDate) continue;
      const message = "isn't a field. Dates are startDate and endDate";
      context.addIssue({ code: "custom", path: [name], message });
    }
    return body;
  }, schema);

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

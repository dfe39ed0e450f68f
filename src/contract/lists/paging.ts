import { z } from "zod";
import { limits } from "../limits.ts";
import { hasVisibleText } from "../text.ts";

/** Accepts a whole number as text in a query string. Empty counts as absent. */
export const queryInt = (min: number, max: number) =>
  z.preprocess(
    (value) => (value === "" ? undefined : typeof value === "string" ? Number(value) : value),
    z
      .number({ error: `must be a whole number from ${min} to ${max}` })
      .int({ error: `must be a whole number from ${min} to ${max}` })
      .min(min, { error: `must be a whole number from ${min} to ${max}` })
      .max(max, { error: `must be a whole number from ${min} to ${max}` })
      .optional(),
  );

/** `true` or `false` in a query string. Other values are errors. Stays undefined if absent. */
export const queryBool = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((value) => value === "true")
  .optional();

/**
 * Accepts free text in a query string, trimmed and limited. Empty or invisible text counts as
 * absent.
 */
export const queryText = (max: number = limits.searchMax) =>
  z
    .string({ error: "must be given once, as text" })
    .trim()
    .max(max, { error: `must be at most ${max} characters` })
    .refine((value) => !value.includes("\0"), { error: "must not contain a null character" })
    .transform((value) => (hasVisibleText(value) ? value : undefined))
    .optional();

export const pageQuery = z.object({
  limit: queryInt(1, limits.maxPageSize),
  offset: queryInt(0, limits.maxOffset),
});

import { z } from "zod";
import { cleanName, hasVisibleText } from "../text.ts";

/**
 * Name or title that people read: one line with something visible in it. Everything that has a name
 * uses this schema.
 * @param required message for a name that is missing, empty or invisible.
 */
export const nameText = (max: number, required: string, tooLong: string) =>
  z
    .string({ error: required })
    .overwrite(cleanName)
    .min(1, { error: required, abort: true })
    .max(max, tooLong)
    .refine(hasVisibleText, required);

/** Name that may be left out. Becomes an empty text if nothing of it is visible. */
export const optionalNameText = (max: number, tooLong = `at most ${max} characters`) =>
  z
    .string()
    .overwrite(cleanName)
    .max(max, tooLong)
    .overwrite((name) => (hasVisibleText(name) ? name : ""));

/** Text that may be left out. Empty text becomes null. */
export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `at most ${max} characters`)
    .transform((text) => (text === "" ? null : text))
    .nullable();

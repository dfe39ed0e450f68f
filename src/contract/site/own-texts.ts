import { z } from "zod";
import { languageCodes } from "./languages.ts";

const ownTextMax = 2000;

export const siteTextParams = z.object({
  language: z.enum(languageCodes),
  id: z.string().max(200),
});

export const siteTextsQuery = z.object({ language: z.enum(languageCodes) });

/** Plain text; null restores the built-in text. */
export const ownTextBody = z.object({
  text: z
    .string()
    .trim()
    .min(1, "Enter a text")
    .max(ownTextMax, `At most ${ownTextMax} characters`)
    .nullable(),
});

/**
 * Text of the public pages. `{1}` is a placeholder for a value, and `{name}` for an element of the
 * page.
 */
export const siteText = z.object({
  id: z.string(),
  standard: z.string(),
  own: z.string().nullable(),
});
export type SiteText = z.infer<typeof siteText>;
export const siteTexts = z.array(siteText);

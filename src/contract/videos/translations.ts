import { z } from "zod";
import { languageCodes, type Language } from "../site/languages.ts";
import { optionalNameText } from "../lists/names.input.ts";
import { limits } from "../limits.ts";

export const byLanguage = <T extends z.ZodType>(each: T) =>
  z.object(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an entry for each language
    Object.fromEntries(languageCodes.map((code) => [code, each.optional()])) as Record<
      Language,
      z.ZodOptional<T>
    >,
  );

/**
 * Title and description of a video in other languages. Absent ones fall back to the video's own.
 */
export const translation = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
});
export const translations = byLanguage(translation);
export type Translations = z.infer<typeof translations>;

const text = (name: string, max: number) =>
  z.string().trim().max(max, `${name} can have at most ${max} characters`).optional();

/** All translations of a video. They replace the stored ones. Empty texts are left out. */
export const translationsInput = byLanguage(
  z.object({
    title: optionalNameText(
      limits.titleMax,
      `Title can have at most ${limits.titleMax} characters`,
    ).optional(),
    description: text("Description", limits.descriptionMax),
  }),
);

import { z } from "zod";
import { byLanguage } from "../videos/translations.ts";

/** Places that can link to an own page. */
export const ownPagePlaces = ["menu", "footer", "none"] as const;
export type OwnPagePlace = (typeof ownPagePlaces)[number];

export const maxOwnPages = 20;

const text = z.object({ title: z.string(), markdown: z.string() });
export type OwnPageText = z.infer<typeof text>;

/** Title and Markdown of a page by language. */
export const ownPageTexts = byLanguage(text);
export type OwnPageTexts = z.infer<typeof ownPageTexts>;

export const ownPage = z.object({
  id: z.uuid(),
  /** Part of the path after `/pages/`. */
  address: z.string(),
  place: z.enum(ownPagePlaces),
  /** False for a draft, which only administrators see in the preview. */
  isPublished: z.boolean(),
  /** False to ask search engines not to list the page. */
  isIndexed: z.boolean(),
  texts: ownPageTexts,
  version: z.number().int(),
});
export type OwnPage = z.infer<typeof ownPage>;

export const ownPageList = z.object({ pages: z.array(ownPage) });
export const ownPagePicture = z.object({ url: z.string() });
export const ownPageHtml = z.object({ html: z.string() });

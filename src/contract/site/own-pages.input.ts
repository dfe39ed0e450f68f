import { z } from "zod";
import { nameText } from "../lists/names.input.ts";
import { editedVersion } from "../videos/edited-version.input.ts";
import { byLanguage } from "../videos/translations.ts";
import { ownPagePlaces } from "./own-pages.ts";
import { isTranslated } from "./translated-pages.ts";

const markdown = z.string().trim().max(100_000, "at most 100000 characters");

/** First segments of paths that aren't pages, or aren't translated. */
const otherPaths = /^(?:admin|api|assets|auth|media|pages|partner|setup|spots)$/;

/** Returns the route that an address collides with, or null. */
const collidingRoute = (address: string): string | null =>
  otherPaths.test(address) || isTranslated(`/${address}`) ? `/${address}` : null;

const address = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, "Enter an address")
  .max(60, "The address can have at most 60 characters")
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    "The address can only contain letters a to z, digits and single hyphens",
  )
  .superRefine((value, context) => {
    const route = collidingRoute(value);
    if (route === null) return;
    const message = `“${value}” is the address of a page of the site, ${route}. Choose another one.`;
    context.addIssue({ code: "custom", message });
  });

export const ownPageInput = z.object({
  address,
  place: z.enum(ownPagePlaces),
  isPublished: z.boolean(),
  isIndexed: z.boolean(),
  texts: byLanguage(
    z.object({ title: nameText(100, "Enter a title", "at most 100 characters"), markdown }),
  ).refine(
    (texts) => Object.values(texts).some((text) => text !== undefined),
    "Enter a title in at least one language",
  ),
  version: editedVersion,
});
export type OwnPageInput = z.infer<typeof ownPageInput>;

/** All own pages in their new order. */
export const ownPageOrder = z.object({ ids: z.array(z.uuid()).max(100) });

export const ownPagePreview = z.object({ markdown });

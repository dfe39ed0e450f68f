import { z } from "zod";
import { limits } from "../limits.ts";
import { nameSeparator } from "../text.ts";
import { nameText, optionalNameText } from "./names.input.ts";

/** Kinds of labels. They all have the same shape. */
export const labelKinds = ["categories", "tags", "actors"] as const;
export type LabelKind = (typeof labelKinds)[number];

export const labelItem = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  /** The label's own image, or the thumbnail of the best of its newest videos. Tags have none. */
  coverUrl: z.string().nullable(),
  /** True if the label's feed is a podcast. */
  isPodcast: z.boolean(),
  /** Counts published videos for visitors, and all videos for admins. */
  videoCount: z.number().int().nonnegative(),
  /** True if the videos have an order by hand. */
  isSeries: z.boolean(),
  /** Total duration of the videos of a series in seconds. Only if a single label was requested. */
  runningTimeS: z.number().nonnegative().optional(),
  createdAt: z.iso.datetime(),
});
export type LabelItem = z.infer<typeof labelItem>;
export const labelList = z.array(labelItem);

/** Forms separate names with commas. */
const hasNoComma = (name: string) => !nameSeparator.test(name);

/** Name of a label, or an empty text. */
export const labelNameOrEmpty = optionalNameText(
  limits.nameMax,
  `Name can have at most ${limits.nameMax} characters`,
).refine(hasNoComma, "Names can't contain commas");
export const labelName = nameText(
  limits.nameMax,
  "Name is required",
  `Name can have at most ${limits.nameMax} characters`,
).refine(hasNoComma, "Names can't contain commas");

export const labelInput = z.object({
  name: labelName,
  description: z
    .string()
    .trim()
    .max(limits.descriptionMax)
    .transform((text) => (text === "" ? null : text))
    .nullable()
    .optional(),
  isSeries: z.boolean().optional(),
  isPodcast: z.boolean().optional(),
});
export type LabelInput = z.infer<typeof labelInput>;

export const labelPatch = labelInput.partial();
export type LabelPatch = z.infer<typeof labelPatch>;

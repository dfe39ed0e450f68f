import { z } from "zod";
import { translations } from "../videos/translations.ts";
import { labelKinds } from "./labels.ts";

/** Maximum number of videos whose order one call can set. */
export const seriesMax = 10_000;

/** Neighbor of a video in a series. */
const seriesPart = z.object({
  slug: z.string(),
  title: z.string(),
  translations: translations.optional(),
  thumbnail: z.string().nullable(),
});

/** Place of a video in a series, as visitors see it: videos that they can't see aren't counted. */
export const seriesPlace = z.object({
  kind: z.enum(labelKinds),
  slug: z.string(),
  name: z.string(),
  part: z.number().int(),
  total: z.number().int(),
  previous: seriesPart.nullable(),
  next: seriesPart.nullable(),
});
export type SeriesPlace = z.infer<typeof seriesPlace>;

/** Page of a series for the back office, which counts all videos. */
export const seriesOrder = z.object({
  total: z.number().int(),
  videos: z.array(
    z.object({
      id: z.uuid(),
      slug: z.string(),
      title: z.string(),
      thumbnail: z.string().nullable(),
      /** In seconds. */
      duration: z.number(),
      /** False for drafts and all others that visitors don't see in the series. */
      isListed: z.boolean(),
    }),
  ),
});
export type SeriesOrder = z.infer<typeof seriesOrder>;

/** Moves one video. Moves of several editors at once add up, because each one names its neighbor. */
export const seriesMove = z.union([
  z.object({
    videoId: z.uuid(),
    /** Video that it follows. Null for the first place. */
    after: z.uuid().nullable(),
  }),
  /** Place from 1. A greater number than there are videos means the end. */
  z.object({ videoId: z.uuid(), to: z.number().int().min(1) }),
]);
export type SeriesMove = z.infer<typeof seriesMove>;

/** Order of a series. Videos that aren't listed here follow in their current order. */
export const seriesInput = z.object({
  videoIds: z.array(z.uuid()).max(seriesMax, `at most ${seriesMax} videos`),
});

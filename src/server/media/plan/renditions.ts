import { z } from "zod";

const playlist = {
  uri: z.string(),
  durationS: z.number(),
  peakBps: z.number(),
  averageBps: z.number(),
};

/**
 * What the master playlist and the admin need to know of finished renditions. As data, since several
 * workers may make the renditions of one video.
 */
export const renditionsSchema = z.object({
  variants: z.array(
    z.object({
      ...playlist,
      width: z.number(),
      height: z.number(),
      fps: z.object({ num: z.number(), den: z.number() }),
      codec: z.string(),
    }),
  ),
  sound: z.object({ ...playlist, gainDb: z.number().default(0) }).nullable(),
  notices: z.array(z.string()),
  /** The decoder reported errors of the picture; a copy of the source has the same defects. */
  isPictureDamaged: z.boolean(),
});
export type Renditions = z.infer<typeof renditionsSchema>;

/** The whole ladder from its parts, highest rendition first. */
export function joinRenditions(parts: readonly Renditions[]): Renditions {
  return {
    variants: parts
      .flatMap(({ variants }) => variants)
      .toSorted((a, b) => b.width * b.height - a.width * a.height),
    sound: parts.find(({ sound }) => sound !== null)?.sound ?? null,
    notices: [...new Set(parts.flatMap(({ notices }) => notices))],
    isPictureDamaged: parts.some(({ isPictureDamaged }) => isPictureDamaged),
  };
}

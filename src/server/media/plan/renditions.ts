import { z } from "zod";
import { soundKinds } from "#contract/videos/videos.ts";

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
  /** The one that plays by default is the first. */
  sounds: z.array(
    z.object({
      ...playlist,
      name: z.string(),
      language: z.string(),
      kind: z.enum(soundKinds),
      channels: z.number(),
      gainDb: z.number(),
      /** The end of its track in the source. */
      sourceEndS: z.number(),
    }),
  ),
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
    sounds: parts.flatMap(({ sounds }) => sounds),
    notices: [...new Set(parts.flatMap(({ notices }) => notices))],
    isPictureDamaged: parts.some(({ isPictureDamaged }) => isPictureDamaged),
  };
}

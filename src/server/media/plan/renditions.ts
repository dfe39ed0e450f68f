import type { VideoSound } from "#contract/videos/videos.ts";
import type { Ratio } from "../facts/media-facts.ts";

interface PlaylistFacts {
  uri: string;
  durationS: number;
  peakBps: number;
  averageBps: number;
}

interface Variant extends PlaylistFacts {
  width: number;
  height: number;
  fps: Ratio;
  codec: string;
}

interface Sound extends PlaylistFacts, Pick<VideoSound, "name" | "language" | "kind" | "channels"> {
  gainDb: number;
  /** The end of its track in the source. */
  sourceEndS: number;
}

/** The facts of finished renditions that the master playlist and the admin need. */
export interface Renditions {
  variants: Variant[];
  /** The one that plays by default is the first. */
  sounds: Sound[];
  notices: string[];
  /** The decoder reported errors of the picture; a copy of the source has the same defects. */
  isPictureDamaged: boolean;
}

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
  /** End of the track in the source. */
  sourceEndS: number;
}

/** Facts of finished renditions for the master playlist and the admin. */
export interface Renditions {
  variants: Variant[];
  /** Audio tracks, default first. */
  sounds: Sound[];
  notices: string[];
  /**
   * True if the decoder reported picture errors. A copy of the source then has the same defects.
   */
  isPictureDamaged: boolean;
}

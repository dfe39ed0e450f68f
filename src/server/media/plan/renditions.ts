import type { SoundFacts, VariantFacts } from "./master-playlist.ts";

/** Audio track of a ladder. */
interface Sound extends SoundFacts {
  gainDb: number;
  /** End of the track in the source. */
  sourceEndS: number;
}

/** Facts of finished renditions for the master playlist and the admin. */
export interface Renditions {
  variants: VariantFacts[];
  /** Audio tracks, default first. */
  sounds: Sound[];
  notices: string[];
  /**
   * True if the decoder reported picture errors. A copy of the source then has the same defects.
   */
  isPictureDamaged: boolean;
  /** The same for the audio. */
  isSoundDamaged: boolean;
}

import type { AdDirector, AdHooks } from "./ads/ad-director.ts";
import type { PreferenceStore } from "./memory/preferences.ts";
import type { ResumePoints } from "./memory/resume-points.ts";
import type { SendWatch } from "./watch/watch-reporter.ts";

/** What a player is made with. */
export interface PlayerOptions {
  media: HTMLVideoElement;
  preferences: PreferenceStore;
  sendWatch: SendWatch;
  /** Makes who directs the ads of one viewing; the feed has none and loads none. */
  directAds?: ((hooks: AdHooks) => AdDirector) | null;
  /** Where ads play; asked for when a break begins. */
  adStage?: () => HTMLElement | null;
  resumePoints?: ResumePoints | null;
  /** The feed: the first report waits for `beginWatch`, sound is not remembered here. */
  isFeed?: boolean;
  /** Whether an ended video starts again (the feed, while things start by themselves). */
  isLooping?: () => boolean;
  /** The browser insisted on silence for a video that started by itself. */
  onSilenced?: () => void;
  isSavingData?: () => boolean;
  /** The element was replaced by one that plays another rendition. */
  onMediaChange?: (media: HTMLVideoElement) => void;
}

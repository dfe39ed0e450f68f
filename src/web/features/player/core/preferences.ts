import { playerKey as key, readStoredJson, writeStored } from "#web/lib/device-storage.ts";

/**
 * Prefix of a saved choice that turns captions off. The previously shown track follows it.
 * Without a choice, null is saved.
 */
export const captionsOff = "-";

/** Preferences that the player stores in this browser for all videos. */
interface PlayerPreferences {
  volume: number;
  isMuted: boolean;
  rate: number;
  /** Separate setting of the feed, which starts muted until the visitor turns the sound on. */
  isFeedMuted: boolean;
  /**
   * Language and name of the chosen track, or only its language. Null without a choice. See
   * `captionsOff` for captions that are turned off.
   */
  captionLanguage: string | null;
  /** Null without a choice. See `soundChoiceOf`. */
  sound: string | null;
  /** True if the next video starts automatically. */
  isNextWanted: boolean;
  isTheatre: boolean;
  /** True if the picture fills the player and is cropped. */
  isFilled: boolean;
}

const factorIn = (value: unknown, min: number, max: number): number =>
  typeof value === "number" && value >= min && value <= max ? value : 1;

/** Replaces missing and invalid values by the defaults. */
function parse(value: unknown): PlayerPreferences {
  const saved = Object(value) as Record<string, unknown>;
  return {
    volume: factorIn(saved.volume, 0, 1),
    isMuted: saved.isMuted === true,
    rate: factorIn(saved.rate, 0.25, 2),
    isFeedMuted: saved.isFeedMuted !== false,
    captionLanguage: typeof saved.captionLanguage === "string" ? saved.captionLanguage : null,
    sound: typeof saved.sound === "string" ? saved.sound : null,
    isNextWanted: saved.isNextWanted !== false,
    isTheatre: saved.isTheatre === true,
    isFilled: saved.isFilled === true,
  };
}

export function createPreferenceStore() {
  // Another tab may have changed or removed them.
  const read = (): PlayerPreferences => parse(readStoredJson(key));
  return {
    read,
    write(patch: Partial<PlayerPreferences>): void {
      writeStored(key, JSON.stringify({ ...read(), ...patch }));
    },
  };
}

export type PreferenceStore = ReturnType<typeof createPreferenceStore>;

/** Shared by all players of this page. */
export const preferences = createPreferenceStore();

export function prefersReducedMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

import { onTestFinished, vi } from "vitest";
import { createAdDirector } from "./ads/ad-director.ts";
import type { AdBreak, AdOutcome, AdSlot, AdStage } from "./ads/ad-provider.ts";
import { createFakeMedia, type FakeMedia } from "./fake-media.fixture.ts";
import { playerKey, writeStored } from "#web/lib/device-storage.ts";
import { createPreferenceStore, type PreferenceStore } from "./preferences.ts";
import type { BuildPlayer } from "../use-video-player.ts";
import type { PlayerOptions } from "./player-context.ts";
import { createPlayer, type Player } from "./player.ts";
import type { PlayerSource } from "./sources/player-source.ts";
import type { SendWatch } from "./watch-tracker.ts";

export const videoSource: PlayerSource = {
  id: "v1",
  slug: "one",
  title: "One",
  durationS: 600,
  progressiveUrl: "/media/one.mp4",
  hlsUrl: null,
  fileGain: 1,
  ladderGain: 1,
  posterUrl: "/media/one.jpg",
  captions: [],
  sounds: [],
  chapters: [],
  categories: ["animals"],
  tags: ["cats"],
};
export const otherSource: PlayerSource = {
  ...videoSource,
  id: "v2",
  slug: "two",
  durationS: 30,
  progressiveUrl: "/media/two.mp4",
  posterUrl: null,
};

interface TestPlayer {
  player: Player;
  media: FakeMedia;
  reports: Parameters<SendWatch>[1][];
}

/** Starts a player with a fake element. By default, it has no ads and no memory. */
export function startPlayer(
  options: Partial<PlayerOptions> = {},
  media: FakeMedia = createFakeMedia(),
  build: BuildPlayer = createPlayer,
): TestPlayer {
  const reports: Parameters<SendWatch>[1][] = [];
  const defaults: PlayerOptions = {
    media: media.element,
    sendWatch: (_id, report) => reports.push(report),
    settings: { initial: () => ({ volume: 1, isMuted: false, rate: 1 }), save: () => {} },
    ads: null,
    resumePoints: null,
    captionMemory: emptyPreferences(),
    reportsOnLoad: true,
    showsPoster: true,
    startAtS: 0,
    wantsLadder: null,
    loopsAtEnd: () => false,
    ...options,
  };
  const player = build(defaults, createPlayer);
  onTestFinished(() => player.destroy());
  return { player, media, reports };
}

/** Preferences of a new visitor. */
export function emptyPreferences(): PreferenceStore {
  writeStored(playerKey, null);
  return createPreferenceStore();
}

/** Creates ads whose breaks last until the test ends them. */
export function createTestAds(midrollTimes: number[] = []) {
  const container = document.createElement("div");
  const asked: AdSlot[] = [];
  const played: AdSlot[] = [];
  let stage: AdStage | null = null;
  let finish: ((outcome: AdOutcome) => void) | null = null;
  /** Creates a break that resolves when the test ends it or the player aborts it. */
  const breakFor = (slot: AdSlot): AdBreak => ({
    play(given) {
      played.push(slot);
      stage = given;
      return new Promise((resolve) => {
        finish = resolve;
        given.signal.addEventListener("abort", () => resolve("failed"), { once: true });
      });
    },
  });
  return {
    asked,
    played,
    stage: () => stage,
    show: () => stage?.onVisible(),
    finish: (outcome: AdOutcome) => finish?.(outcome),
    policy: {
      container: () => container,
      direct: (hooks) =>
        createAdDirector({
          ...hooks,
          midrollTimes: () => Promise.resolve(midrollTimes),
          provider: {
            prepare(slot) {
              asked.push(slot);
              return Promise.resolve(breakFor(slot));
            },
          },
        }),
    } satisfies PlayerOptions["ads"],
  };
}

/** Silences expected warnings and returns the calls. */
export const catchWarnings = () => vi.spyOn(console, "warn").mockImplementation(() => {});

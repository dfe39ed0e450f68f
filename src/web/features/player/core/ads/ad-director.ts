import { limits } from "#contract/limits.ts";
import { midrollResponse } from "#contract/videos/videos.ts";
import { call } from "#web/lib/api/http.ts";
import { runAdBreak } from "./ad-break.ts";
import {
  type AdBreak,
  type AdContext,
  type AdProvider,
  type AdSlot,
  type AdStage,
  type BreakPlan,
  outOfTime,
} from "./ad-provider.ts";

/** Player functions that ads can use during one viewing of a video. */
export interface AdHooks {
  /** Returns the element in which ads play. Null until the controls are rendered. */
  container(): HTMLElement | null;
  context: Omit<AdContext, "positionS" | "startsInS" | "signal" | "durationS" | "onPlan">;
  durationS(): number;
  /** Returns the element of the content. */
  media(): HTMLVideoElement;
  sound(): { isMuted: boolean; volume: number };
  onSoundChange: AdStage["onSoundChange"];
  /** Called when a break begins (slot) or has ended (null). */
  onSlot(slot: AdSlot | null): void;
  /** Called when the ad of the break is visible. */
  onVisible(): void;
}

interface AdDirectorOptions extends AdHooks {
  provider: AdProvider;
  /** Returns the mid-roll configuration, in seconds. A rejection falls back to computed times. */
  midrollTimes(videoId: string): Promise<number[]>;
}

interface Search {
  result: Promise<AdBreak | null>;
  /** Gives up the break, so that the content continues without it. */
  giveUp(): void;
}

/** Seconds by which a mid-roll is requested early, so that it starts without a wait. */
const aheadS = 8;

/** Decides when breaks happen during one viewing of a video. */
export function createAdDirector(options: AdDirectorOptions) {
  const life = new AbortController();
  let schedule: MidrollSchedule = createMidrollSchedule([]);
  let plan: BreakPlan | null = null;
  let preroll: Search | null = null;
  let midroll: { timeS: number; search: Search } | null = null;
  let isPrerollDone = false;
  let isPostrollDone = false;
  let isInBreak = false;

  function look(slot: AdSlot, positionS: number, startsInS = 0): Search {
    const ending = new AbortController();
    const result = (plan ?? options.provider).prepare(slot, {
      ...options.context,
      durationS: options.durationS(),
      positionS,
      startsInS,
      onPlan(next) {
        plan = next;
        schedule = createMidrollSchedule(next.midrollTimes(options.durationS()));
      },
      signal: AbortSignal.any([life.signal, ending.signal]),
    });
    return {
      // Handles a failure here, because the break may be awaited late or never.
      result: result.catch((error: unknown) => {
        if (!life.signal.aborted) console.warn("couldn't load ads", error);
        return null;
      }),
      giveUp: () => ending.abort(outOfTime()),
    };
  }

  async function run(slot: AdSlot, search: Search): Promise<void> {
    const container = options.container();
    if (container === null || life.signal.aborted) return;
    isInBreak = true;
    options.onSlot(slot);
    await runAdBreak({
      prepared: search.result,
      container,
      signal: life.signal,
      onLate: search.giveUp,
      sound: options.sound(),
      onVisible() {
        leaveOtherScreens(options.media());
        options.onVisible();
      },
      onSoundChange: options.onSoundChange,
    });
    isInBreak = false;
    if (!life.signal.aborted) options.onSlot(null);
  }

  async function loadMidrolls(): Promise<void> {
    let times: number[];
    try {
      times = await options.midrollTimes(options.context.videoId);
    } catch (error) {
      console.warn("couldn't load mid-roll times", error);
      times = fallbackMidrollTimes(options.durationS());
    }
    if (plan === null) schedule = createMidrollSchedule(times);
  }

  return {
    get isInBreak(): boolean {
      return isInBreak;
    },
    /** Requests a pre-roll and the mid-roll times before the first play. */
    prepareEarly(): void {
      if (!isPrerollDone) preroll ??= look("preroll", 0);
      void loadMidrolls();
    },
    /** Resolves when the content may play, as soon as the pre-roll is over. */
    async beforeFirstPlay(): Promise<void> {
      if (isPrerollDone) return;
      isPrerollDone = true;
      await run("preroll", preroll ?? look("preroll", 0));
    },
    /**
     * Starts the break that is due at this position and resolves at its end. Null if none is due.
     */
    atPosition(positionS: number): Promise<void> | null {
      if (isInBreak) return null;
      const coming = schedule.coming(positionS, aheadS);
      if (coming !== null && midroll?.timeS !== coming) {
        midroll = { timeS: coming, search: look("midroll", coming, coming - positionS) };
      }
      const due = schedule.due(positionS);
      if (due === null) return null;
      schedule.markDone(due);
      const search = midroll?.timeS === due ? midroll.search : look("midroll", due);
      midroll = null;
      return run("midroll", search);
    },
    async atEnd(): Promise<void> {
      if (isPostrollDone) return;
      isPostrollDone = true;
      if (plan?.hasPostroll(options.durationS()) === false) return;
      await run("postroll", look("postroll", options.durationS()));
    },
    dispose: (): void => life.abort(),
  };
}

interface WebKitVideo extends HTMLVideoElement {
  webkitDisplayingFullscreen?: boolean;
  webkitExitFullscreen?: () => void;
}

/** Brings the content back into the page, where the ad is, from an iPhone's full screen or picture-in-picture. */
function leaveOtherScreens(media: WebKitVideo): void {
  if (media.webkitDisplayingFullscreen === true) media.webkitExitFullscreen?.();
  if (document.pictureInPictureElement === media) {
    document.exitPictureInPicture().catch(console.warn);
  }
}

export type AdDirector = ReturnType<typeof createAdDirector>;

/**
 * Returns the default times in seconds: 25% of videos longer than 120 s, 50% of videos longer than
 * 60 s, and 75% of videos longer than 180 s.
 */
export function fallbackMidrollTimes(durationS: number): number[] {
  const times: number[] = [];
  if (durationS > 120) times.push(durationS * 0.25);
  if (durationS > 60) times.push(durationS * 0.5);
  if (durationS > 180) times.push(durationS * 0.75);
  return times;
}

/** Schedule of mid-rolls. Each is played once. */
export function createMidrollSchedule(timesS: readonly number[]) {
  const open = new Set(timesS.filter((time) => Number.isFinite(time) && time > 0));
  return {
    /** Returns the time of the break to play now, which is within 1 s of the position, or null. */
    due(positionS: number): number | null {
      for (const time of open) {
        if (Math.abs(positionS - time) <= limits.midrollWindowS) return time;
      }
      return null;
    },
    /**
     * Returns the time of a break to prepare, which is within the next `aheadS` seconds, or null.
     */
    coming(positionS: number, aheadS: number): number | null {
      for (const time of open) {
        if (time > positionS && time - positionS <= aheadS) return time;
      }
      return null;
    },
    markDone: (timeS: number): void => void open.delete(timeS),
  };
}

type MidrollSchedule = ReturnType<typeof createMidrollSchedule>;

/** Returns the times in seconds, ascending. */
async function fetchMidrollTimes(videoId: string): Promise<number[]> {
  const path = `/api/videos/${encodeURIComponent(videoId)}/midroll`;
  return (await call(path, midrollResponse)).config.times;
}

/**
 * Returns a function that creates the ad director for a provider. Pages without ads never load this
 * module.
 */
export function findDirectAds(provider: AdProvider): (hooks: AdHooks) => AdDirector {
  return (hooks) => createAdDirector({ ...hooks, provider, midrollTimes: fetchMidrollTimes });
}

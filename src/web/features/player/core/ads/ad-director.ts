import { runAdBreak } from "./ad-break.ts";
import type { AdBreak, AdContext, AdProvider, AdSlot, AdStage, BreakPlan } from "./ad-provider.ts";
import { outOfTime } from "./out-of-time.ts";
import {
  createMidrollSchedule,
  fallbackMidrollTimes,
  type MidrollSchedule,
} from "./midroll-schedule.ts";

/** Player functions that ads can use during one viewing of a video. */
export interface AdHooks {
  /** Returns the element in which ads play. Null until the controls are rendered. */
  container(): HTMLElement | null;
  context: Omit<AdContext, "positionS" | "startsInS" | "signal" | "durationS" | "onPlan">;
  durationS(): number;
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

/** Decides when breaks happen during one viewing of a video. */
export interface AdDirector {
  /** Requests a pre-roll and the mid-roll times before the first play. */
  prepareEarly(): void;
  /** Resolves when the content may play, as soon as the pre-roll is over. */
  beforeFirstPlay(): Promise<void>;
  /** Starts the break that is due at this position and resolves at its end. Null if none is due. */
  atPosition(positionS: number): Promise<void> | null;
  atEnd(): Promise<void>;
  readonly isInBreak: boolean;
  dispose(): void;
}

interface Search {
  found: Promise<AdBreak | null>;
  /** Gives up the break, so that the content continues without it. */
  giveUp(): void;
}

/** Seconds by which a mid-roll is requested early, so that it starts without a wait. */
const aheadS = 8;

export function createAdDirector(options: AdDirectorOptions): AdDirector {
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
    const found = (plan ?? options.provider).prepare(slot, {
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
      found: found.catch((error: unknown) => {
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
      prepared: search.found,
      container,
      signal: life.signal,
      onLate: search.giveUp,
      sound: options.sound(),
      onVisible: options.onVisible,
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
    get isInBreak() {
      return isInBreak;
    },
    prepareEarly() {
      if (!isPrerollDone) preroll ??= look("preroll", 0);
      void loadMidrolls();
    },
    async beforeFirstPlay() {
      if (isPrerollDone) return;
      isPrerollDone = true;
      await run("preroll", preroll ?? look("preroll", 0));
    },
    atPosition(positionS) {
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
    async atEnd() {
      if (isPostrollDone) return;
      isPostrollDone = true;
      if (plan?.hasPostroll(options.durationS()) === false) return;
      await run("postroll", look("postroll", options.durationS()));
    },
    dispose: () => life.abort(),
  };
}

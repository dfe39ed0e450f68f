import { trackInLanguage } from "#contract/site/languages.ts";
import { parseStartTime } from "#contract/videos/start-time.ts";
import { watchResponse } from "#contract/videos/videos.ts";
import { call, inTurn } from "#web/lib/api/http.ts";
import { carriedHeaders, keepVisitor } from "#web/lib/embed-visitor.ts";
import type { BuildPlayer } from "../player/use-video-player.ts";
import type { Player } from "../player/core/player.ts";
import { captionsOff, type PreferenceStore } from "../player/core/preferences.ts";
import type { SendWatch } from "../player/core/watch-tracker.ts";
import { connectPlayerJs } from "./player-js.ts";

/** Parameters of an embed's address. Values that can't be read have no effect. */
interface EmbedOptions {
  /** Seconds at which the video starts, also after each repetition. */
  startS: number;
  /** Seconds at which the video stops. Null for its own end. */
  endS: number | null;
  autoplay: boolean;
  isMuted: boolean;
  loops: boolean;
  hasControls: boolean;
  /** Language of the captions to show. Null for the visitor's own choice. */
  captions: string | null;
}

/** Reads the parameters `t`, `end`, `autoplay`, `muted`, `loop`, `controls` and `captions`. */
export function readEmbedOptions(search: string): EmbedOptions {
  const params = new URLSearchParams(search);
  const isOn = (name: string) => /^(1|true)$/.test(params.get(name) ?? "");
  const startS = parseStartTime(params.get("t")) ?? 0;
  const endS = parseStartTime(params.get("end"));
  const captions = params.get("captions") ?? "";
  return {
    startS,
    endS: endS !== null && endS > startS ? endS : null,
    autoplay: isOn("autoplay"),
    isMuted: isOn("muted"),
    loops: isOn("loop"),
    hasControls: !/^(0|false)$/.test(params.get("controls") ?? ""),
    captions: /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(captions) ? captions : null,
  };
}

/**
 * Returns the visitor's preferences with other captions. The choice of the other site isn't saved,
 * and lasts until the visitor makes one.
 */
function withCaptions(preferences: PreferenceStore, language: string | null) {
  let chosen = language;
  let isOfHost = false;
  return {
    memory: {
      read: () => ({
        ...preferences.read(),
        ...(chosen === null ? {} : { captionLanguage: chosen }),
      }),
      write(patch) {
        if (patch.captionLanguage === undefined) preferences.write(patch);
        else if (isOfHost) chosen = patch.captionLanguage;
        else {
          chosen = null;
          preferences.write(patch);
        }
      },
    } satisfies PreferenceStore,
    /** Shows captions in this language, or none. Ignores a language without captions. */
    select(player: Player, selected: string | null): void {
      const { captions } = player.store.get();
      if (captions.length === 0) {
        // Captions are still loading. The player applies this choice once they have loaded.
        chosen = selected ?? captionsOff;
        return;
      }
      const track = selected === null ? undefined : trackInLanguage(captions, selected);
      if (selected !== null && track === undefined) return;
      isOfHost = true;
      player.selectCaption(track?.id ?? null);
      isOfHost = false;
    },
  };
}

/** Reports to the server with the visitor in a header, which beacons can't send. */
const sendEmbedWatch: SendWatch = (videoId, report, isLast) => {
  inTurn(async () => {
    const { visitor } = await call(
      `/api/videos/${encodeURIComponent(videoId)}/watch`,
      watchResponse,
      {
        method: "POST",
        body: { ...report, origin: "embed" },
        headers: carriedHeaders(),
        keepalive: isLast,
      },
    );
    keepVisitor(visitor);
  }).catch((error: unknown) => console.warn("watch report failed", error));
};

/** Returns how to build the player of an embed with these parameters. */
export const embedPlayer =
  ({ startS, endS, autoplay, isMuted, loops, captions }: EmbedOptions): BuildPlayer =>
  (defaults, create) => {
    const { settings, captionMemory, resumePoints } = defaults;
    const ofHost = withCaptions(captionMemory, captions);
    let doesLoop = loops;
    /** True if the sound is the choice of the other site, which isn't saved. */
    let isSoundOfHost = isMuted;
    const player = create({
      ...defaults,
      findLinkedStart: () => (startS > 0 ? startS : null),
      // An excerpt starts at its own start.
      resumePoints:
        endS === null || resumePoints === null
          ? resumePoints
          : { ...resumePoints, find: () => null },
      // In a sandboxed frame, which has no origin, the server refuses reports.
      sendWatch: window.origin === "null" ? () => undefined : sendEmbedWatch,
      captionMemory: ofHost.memory,
      settings: {
        initial: () => ({ ...settings.initial(), ...(isMuted ? { isMuted } : {}) }),
        save: (change) => {
          if (!isSoundOfHost || change.rate !== undefined) settings.save(change);
        },
      },
      loopsAtEnd() {
        if (doesLoop && startS > 0) queueMicrotask(() => player.seekTo(startS));
        return doesLoop;
      },
    });
    // Not imported, because that would divide the scripts of the video page into more parts.
    const isMotionReduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (autoplay && !isMotionReduced) playWhenLoaded(player);
    if (endS !== null) stopAt(player, endS, () => (doesLoop ? startS : null));
    connectPlayerJs(player, {
      getLoop: () => doesLoop,
      setLoop(value) {
        doesLoop = value;
      },
      changeSound(change) {
        isSoundOfHost = true;
        change();
      },
      setCaption: (language) => ofHost.select(player, language),
    });
    return player;
  };

/** If the browser refuses, the player waits for a press, and doesn't start without sound. */
function playWhenLoaded(player: Player): void {
  const stop = player.store.subscribe(() => {
    if (player.store.get().sourceId === null) return;
    stop();
    queueMicrotask(() => player.play());
  });
}

/**
 * Pauses when playback reaches the end, or repeats from the position that `findRepeat` returns. A
 * later play goes on.
 */
function stopAt(player: Player, endS: number, findRepeat: () => number | null): void {
  let before = 0;
  player.store.subscribe(() => {
    const { positionS, isPaused, isSeeking } = player.store.get();
    const isReached = before < endS && positionS >= endS && !isPaused && !isSeeking;
    before = positionS;
    if (!isReached) return;
    const repeatS = findRepeat();
    if (repeatS === null) player.pause();
    else player.seekTo(repeatS);
  });
}

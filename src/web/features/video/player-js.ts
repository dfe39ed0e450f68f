import { plainPath } from "#web/lib/language/page-language.ts";
import type { Player } from "../player/core/player.ts";
import { setVolume, type PlayerState } from "../player/core/player-state.ts";

/** What a page around the embed can control, besides the player itself. */
interface HostChoices {
  getLoop(): boolean;
  setLoop(loops: boolean): void;
  /** Changes the sound without saving it as the visitor's choice. */
  changeSound(change: () => void): void;
  /** Shows captions in this language, or none, without saving it as the visitor's choice. */
  setCaption(language: string | null): void;
}

const context = "player.js";
const version = "0.0.11";
const events = [
  ...["ready", "play", "pause", "ended", "timeupdate", "progress", "seeked", "error"],
] as const;

/** Listener of the other page. `origin` is where its events are sent. */
interface Listener {
  event: string;
  id: unknown;
  origin: string;
}

interface Message {
  method: string;
  value: unknown;
  listener: unknown;
}

/** Reads a message of the protocol, which is an object or its JSON. Null for anything else. */
function readMessage(data: unknown): Message | null {
  let parsed = data;
  if (typeof data === "string") {
    try {
      parsed = JSON.parse(data);
    } catch {
      return null;
    }
  }
  if (typeof parsed !== "object" || parsed === null) return null;
  const { method, value, listener, ...rest } = parsed as Record<string, unknown>;
  return rest["context"] === context && typeof method === "string"
    ? { method, value, listener }
    : null;
}

const within = (value: unknown, max: number): number | null =>
  typeof value === "number" && value >= 0 && value <= max ? value : null;

/** Returns the events between two states, with their values. */
function eventsBetween(
  before: PlayerState,
  after: PlayerState,
): [event: string, value?: unknown][] {
  const found: [event: string, value?: unknown][] = [];
  const { durationS, positionS, buffered } = after;
  if (before.isPaused !== after.isPaused) found.push([after.isPaused ? "pause" : "play"]);
  if (before.isSeeking && !after.isSeeking) found.push(["seeked"]);
  if (before.positionS !== positionS) {
    found.push(["timeupdate", { seconds: positionS, duration: durationS }]);
  }
  if (before.buffered !== buffered && durationS > 0) {
    const endS = Math.max(0, ...buffered.map((span) => span.endS));
    found.push(["progress", { percent: Math.min(1, endS / durationS) }]);
  }
  if (!before.isEnded && after.isEnded) found.push(["ended"]);
  if (after.fault !== null && before.fault?.kind !== after.fault.kind) {
    found.push(["error", { code: 1, msg: after.fault.kind }]);
  }
  return found;
}

/**
 * Lets the page around the embed control the player with the player.js protocol
 * (github.com/embedly/player.js). Only the parent window is heard, and it only learns what the
 * protocol names. Its origin doesn't matter, because the site's setting decides who may frame the
 * embed.
 */
export function connectPlayerJs(player: Player, choices: HostChoices): void {
  const host = window.parent;
  if (host === window) return;
  const { store } = player;
  let listeners: Listener[] = [];
  let isReady = false;

  /** A page without an origin can't be named as the target of a message. */
  const post = (message: object, origin: string) =>
    host.postMessage(
      JSON.stringify({ context, version, ...message }),
      origin === "null" ? "*" : origin,
    );
  const emit = (event: string, value?: unknown) => {
    for (const { id, origin } of listeners.filter((each) => each.event === event)) {
      post({ event, value, listener: id }, origin);
    }
  };

  const methods: Record<string, (value: unknown) => unknown> = {
    play: () => player.play(),
    pause: () => player.pause(),
    getPaused: () => store.get().isPaused,
    mute: () => choices.changeSound(() => player.setMuted(true)),
    unmute: () => choices.changeSound(() => player.setMuted(false)),
    getMuted: () => store.get().isMuted,
    setVolume(value) {
      const percent = within(value, 100);
      // Unlike the visitor's slider, it doesn't unmute.
      if (percent !== null) choices.changeSound(() => setVolume(player.media, percent / 100));
    },
    getVolume: () => Math.round(store.get().volume * 100),
    getDuration: () => store.get().durationS,
    setCurrentTime(value) {
      const positionS = within(value, Number.MAX_SAFE_INTEGER);
      if (positionS !== null) player.seekTo(positionS);
    },
    getCurrentTime: () => store.get().positionS,
    setLoop: (value) => choices.setLoop(value === true),
    getLoop: () => choices.getLoop(),
    setCaption(value) {
      if (value === null || typeof value === "string") choices.setCaption(value || null);
    },
  };
  const facts = (src: string) => ({
    src,
    events,
    methods: [...Object.keys(methods), "addEventListener", "removeEventListener"],
  });

  /**
   * Addresses that the frame may have. The other page compares them with its own, and the embed may
   * have been opened again in the visitor's language.
   */
  function addresses(): Set<string> {
    const { href, pathname } = window.location;
    return new Set([href, href.replace(pathname, plainPath(pathname) ?? pathname)]);
  }

  function receive({ method, value, listener }: Message, origin: string): void {
    if (method === "addEventListener") {
      if (typeof value !== "string" || listeners.length >= 100) return;
      listeners.push({ event: value, id: listener, origin });
      if (value === "ready" && isReady) {
        for (const src of addresses()) emit("ready", facts(src));
      }
    } else if (method === "removeEventListener") {
      listeners = listeners.filter(
        ({ event, id }) => event !== value || (listener != null && id !== listener),
      );
    } else if (Object.hasOwn(methods, method)) {
      const result = methods[method]?.(value);
      if (method.startsWith("get")) post({ event: method, value: result, listener }, origin);
    } else {
      emit("error", { code: 2, msg: method.slice(0, 100) });
    }
  }

  window.addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== host) return;
    const message = readMessage(data);
    if (message !== null) receive(message, origin);
  });

  let before = store.get();
  store.subscribe(() => {
    const after = store.get();
    const was = before;
    before = after;
    if (!isReady && after.sourceId !== null) {
      isReady = true;
      for (const src of addresses()) post({ event: "ready", value: facts(src) }, "*");
    }
    for (const [event, value] of eventsBetween(was, after)) emit(event, value);
  });
}

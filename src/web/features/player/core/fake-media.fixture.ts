import { vi } from "vitest";

// happy-dom has no media engine and lacks these.
Object.assign(HTMLMediaElement, {
  NETWORK_EMPTY: 0,
  NETWORK_IDLE: 1,
  NETWORK_LOADING: 2,
  NETWORK_NO_SOURCE: 3,
  HAVE_NOTHING: 0,
  HAVE_CURRENT_DATA: 2,
  HAVE_FUTURE_DATA: 3,
  HAVE_ENOUGH_DATA: 4,
});
/** Makes the codes of media errors available to a test. */
export const stubMediaError = () =>
  vi.stubGlobal("MediaError", {
    MEDIA_ERR_ABORTED: 1,
    MEDIA_ERR_NETWORK: 2,
    MEDIA_ERR_DECODE: 3,
    MEDIA_ERR_SRC_NOT_SUPPORTED: 4,
  });
stubMediaError();

/**
 * `<video>` element that the test controls. Like a browser, it dispatches events in a later task.
 */
export interface FakeMedia {
  element: HTMLVideoElement;
  /** Makes the next calls of `play` fail with this error. */
  refuseNextPlay(errorName: string, times?: number): void;
  /** Simulates that enough is loaded to play. The whole file counts as buffered. */
  becomePlayable(durationS?: number): Promise<void>;
  /** Simulates playback up to this position. */
  playTo(positionS: number): Promise<void>;
  playToEnd(): Promise<void>;
  /** Simulates that decoding fails at the current position. */
  failToDecode(): Promise<void>;
  /** Simulates that the source can't be loaded. As Chrome does, it pauses an element that plays. */
  failToLoad(): Promise<void>;
  fire(name: string): Promise<void>;
}

interface EngineState {
  currentSrc: string;
  currentTime: number;
  duration: number;
  ended: boolean;
  error: { code: number } | null;
  networkState: number;
  paused: boolean;
  readyState: number;
  seeking: boolean;
  muted: boolean;
  volume: number;
}

const emptyEngine: EngineState = {
  currentSrc: "",
  currentTime: 0,
  duration: NaN,
  ended: false,
  error: null,
  networkState: 0,
  paused: true,
  readyState: 0,
  seeking: false,
  muted: false,
  volume: 1,
};

export function createFakeMedia(initial: Partial<EngineState> = {}): FakeMedia {
  const element = document.createElement("video");
  const engine = { ...emptyEngine, ...initial };
  let refusals: string[] = [];

  const task = async (run: () => void) => {
    await Promise.resolve();
    run();
    await Promise.resolve();
  };
  const fire = (name: string) => task(() => element.dispatchEvent(new Event(name)));
  const readOnly = (name: keyof EngineState) =>
    Object.defineProperty(element, name, { get: () => engine[name], configurable: true });
  for (const name of [
    "currentSrc",
    "duration",
    "ended",
    "error",
    "networkState",
    "paused",
    "readyState",
    "seeking",
  ] as const) {
    readOnly(name);
  }
  Object.defineProperties(element, {
    currentTime: {
      get: () => engine.currentTime,
      set(positionS: number) {
        engine.currentTime = positionS;
        // Before the metadata has loaded, browsers only remember the position.
        if (engine.readyState === 0) return;
        engine.ended = false;
        engine.seeking = true;
        void fire("seeking").then(() => {
          engine.seeking = false;
          return fire("seeked");
        });
      },
    },
    muted: {
      get: () => engine.muted,
      set(isMuted: boolean) {
        if (engine.muted === isMuted) return;
        engine.muted = isMuted;
        void fire("volumechange");
      },
    },
    volume: {
      get: () => engine.volume,
      set(volume: number) {
        if (engine.volume === volume) return;
        engine.volume = volume;
        void fire("volumechange");
      },
    },
    src: {
      get: () => element.getAttribute("src") ?? "",
      set(url: string) {
        element.setAttribute("src", url);
        Object.assign(engine, emptyEngine, {
          currentSrc: new URL(url, document.baseURI).href,
          muted: engine.muted,
          volume: engine.volume,
          networkState: 2,
        });
        element.playbackRate = element.defaultPlaybackRate;
      },
    },
    buffered: {
      configurable: true,
      get: () => ({
        length: engine.readyState > 0 ? 1 : 0,
        start: () => 0,
        end: () => engine.duration,
      }),
    },
    textTracks: { value: Object.assign(new EventTarget(), { length: 0 }) },
    canPlayType: { value: () => "", configurable: true },
    load: {
      value() {
        const { muted, volume } = engine;
        Object.assign(engine, emptyEngine, { muted, volume });
      },
    },
    play: {
      value() {
        const refusal = refusals.pop();
        if (refusal !== undefined) return Promise.reject(new DOMException("refused", refusal));
        if (engine.paused) {
          engine.paused = false;
          if (engine.ended) engine.currentTime = 0;
          engine.ended = false;
          void fire("play").then(() => (engine.readyState >= 3 ? fire("playing") : undefined));
        }
        return Promise.resolve();
      },
    },
    pause: {
      value() {
        if (engine.paused) return;
        engine.paused = true;
        void fire("pause");
      },
    },
  });

  return {
    element,
    fire,
    refuseNextPlay(errorName, times = 1) {
      refusals = Array.from({ length: times }, () => errorName);
    },
    async becomePlayable(durationS = 600) {
      Object.assign(engine, { duration: durationS, readyState: 4, networkState: 1 });
      for (const name of ["durationchange", "loadeddata", "canplay"]) await fire(name);
      if (!engine.paused) await fire("playing");
    },
    async playTo(positionS) {
      engine.currentTime = positionS;
      await fire("timeupdate");
    },
    async failToDecode() {
      Object.assign(engine, { error: { code: MediaError.MEDIA_ERR_DECODE }, readyState: 1 });
      await fire("error");
    },
    async failToLoad() {
      const { paused } = engine;
      const error = { code: MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED };
      Object.assign(engine, { error, networkState: 3, readyState: 0, paused: true });
      await fire("error");
      if (!paused) await fire("pause");
    },
    async playToEnd() {
      engine.currentTime = engine.duration;
      await fire("timeupdate");
      Object.assign(engine, { paused: true, ended: true });
      await fire("pause");
      await fire("ended");
    },
  };
}

/** Runs the callbacks of all settled promises. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}

import { parseQualities } from "./qualities.ts";
import { type PlayerSource, ladderAdapter, type BrowserAbilities } from "./player-source.ts";
import { createFileAdapter, type AdapterEvents, type MediaAdapter } from "./media-adapter.ts";
import { switchElement } from "./switch-element.ts";

interface LadderSwitchOptions {
  source: PlayerSource;
  abilities: BrowserAbilities;
  signal: AbortSignal;
  events: AdapterEvents;
  /**
   * Position at which the ladder starts in the element itself, because nothing else can play this
   * source; null to replace what plays.
   */
  firstS: number | null;
  /** Index of the audio track that the visitor chose earlier. */
  sound: number;
  media(): HTMLVideoElement;
  /** Returns whether to switch now although the visitor hasn't requested it. */
  isWanted(): boolean;
  onSwitched(media: HTMLVideoElement, adapter: MediaAdapter): void;
}

/**
 * Switches from the progressive file, which starts soonest, to the adaptive ladder. The ladder is
 * loaded into a second, silent element that takes over at the same frame. `signal` can end the
 * switch at any time.
 */
export function createLadderSwitch(options: LadderSwitchOptions) {
  const { source, signal, events } = options;
  let state: "file" | "switching" | "ladder" = "file";
  let ladder: MediaAdapter | null = null;
  let quality: number | null = null;
  let { sound } = options;
  /** True if the ladder lacks the chosen renditions, so that another adapter is needed. */
  let needsOther = false;
  /** True if a jump or the end of the video interrupted a switch, which must start again. */
  let isInterrupted = false;
  let failures = 0;
  const kind = ladderAdapter(source, options.abilities);

  async function createAdapter(lines: number | null): Promise<MediaAdapter | null> {
    const { hlsUrl } = source;
    if (hlsUrl === null || kind === null) return null;
    if (kind === "native-hls") return createFileAdapter({ kind, url: hlsUrl, events });
    const { createHlsAdapter } = await import("./hls-adapter.ts");
    return createHlsAdapter({ url: hlsUrl, quality: lines, sound, events });
  }

  /** Returns the new element and its adapter, or why there is none; see `switchElement`. */
  async function replaceElement(
    lines: number | null,
  ): Promise<{ media: HTMLVideoElement; adapter: MediaAdapter } | "interrupted" | null> {
    try {
      const adapter = await createAdapter(lines);
      if (adapter === null || signal.aborted) return null;
      const media = await switchElement({
        current: options.media(),
        adapter,
        gain: source.ladderGain,
        signal,
      });
      if (media instanceof HTMLVideoElement) return { media, adapter };
      adapter.destroy();
      return media;
    } catch (error) {
      console.warn("couldn't load the adaptive renditions", error);
    }
    return null;
  }

  async function switchOver(): Promise<void> {
    const former = state;
    const first = quality;
    state = "switching";
    const next = await replaceElement(first);
    if (signal.aborted) return;
    isInterrupted = next === "interrupted";
    if (next === null || next === "interrupted") {
      if (next === null) failures += 1;
      state = former;
    } else {
      state = "ladder";
      needsOther = false;
      ladder = next.adapter;
      options.onSwitched(next.media, ladder);
    }
    // The visitor may have chosen something else meanwhile.
    ladder?.selectSound(sound);
    if (quality !== first) select(quality);
  }

  /**
   * Selects the quality that the visitor chose, immediately or once the current switch has ended.
   */
  function select(lines: number | null): void {
    quality = lines;
    if (state === "switching") return;
    failures = 0;
    isInterrupted = false;
    if (state === "ladder") needsOther = ladder?.selectQuality(lines) === false;
    if (needsOther || (state === "file" && (lines !== null || options.isWanted()))) {
      void switchOver();
    }
  }

  async function startInPlace(startS: number): Promise<void> {
    state = "ladder";
    const adapter = await createAdapter(null).catch((error: unknown) => {
      console.warn("couldn't load the player for this video", error);
      return null;
    });
    if (signal.aborted) return;
    if (adapter === null) return events.onFault("unsupported");
    ladder = adapter;
    adapter.selectQuality(quality);
    adapter.selectSound(sound);
    adapter.attach(options.media(), startS);
    options.onSwitched(options.media(), adapter);
  }

  if (options.firstS !== null) void startInPlace(options.firstS);

  return {
    /**
     * Called often during playback. Switches once `isWanted` returns true. Retries a failed switch
     * once, and an interrupted one as often as needed.
     */
    consider(): void {
      const isDue = needsOther || isInterrupted || (state === "file" && options.isWanted());
      // A hidden page draws no frames, so a switch would wait for one in vain.
      const isVisible = document.visibilityState === "visible";
      if (isDue && isVisible && state !== "switching" && failures < 2) void switchOver();
    },
    select,
    /** Selects the audio track that the visitor chose. The file only has the first one. */
    selectSound(index: number): void {
      sound = index;
      if (state === "ladder") ladder?.selectSound(index);
      else if (state === "file" && index > 0) void switchOver();
    },

    /** Fills the quality menu before the ladder is needed. Native HLS offers no choice. */
    async listQualities(): Promise<void> {
      if (source.hlsUrl === null || kind !== "hls-js") return;
      try {
        const response = await fetch(source.hlsUrl, { signal });
        if (!response.ok) return;
        const text = await response.text();
        if (ladder === null) events.onQualities(parseQualities(text));
      } catch {
        // The ladder reports its qualities when it takes over.
      }
    },
  };
}

export type LadderSwitch = ReturnType<typeof createLadderSwitch>;

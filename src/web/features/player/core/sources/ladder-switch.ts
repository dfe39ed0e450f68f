import { parseQualities } from "./master-playlist.ts";
import type { PlayerSource } from "./player-source.ts";
import { ladderAdapter, type BrowserAbilities } from "./choose-adapter.ts";
import { createFileAdapter } from "./file-adapter.ts";
import type { AdapterEvents, MediaAdapter } from "./media-adapter.ts";
import { switchElement } from "./switch-element.ts";

interface LadderSwitchOptions {
  source: PlayerSource;
  abilities: BrowserAbilities;
  signal: AbortSignal;
  events: AdapterEvents;
  /** Nothing else can play this source: the ladder starts in the element itself. */
  isFirst: boolean;
  /** The index of the sound that the visitor has chosen before. */
  sound: number;
  media(): HTMLVideoElement;
  /** Whether the switch may happen now without a request of the visitor. */
  isWanted(): boolean;
  isPlaying(): boolean;
  onSwitched(media: HTMLVideoElement, adapter: MediaAdapter): void;
}

export interface LadderSwitch {
  /** Called often while playing. Switches once, as soon as `isWanted`. */
  consider(): void;
  /** The visitor chose a quality: switches now if necessary. */
  select(lines: number | null, current: MediaAdapter | null): void;
  /** The visitor chose a sound. The file has the first one. */
  selectSound(index: number, current: MediaAdapter | null): void;
  /** Fills the menu before the ladder is needed. */
  listQualities(): void;
}

/**
 * Switches from the progressive file, which starts soonest, to the adaptive ladder. The ladder loads
 * into a second, silent element that takes over at the same frame. `signal` ends it at any point.
 */
export function createLadderSwitch(options: LadderSwitchOptions): LadderSwitch {
  const { source, signal, events } = options;
  let state: "file" | "switching" | "ladder" = "file";
  let quality: number | null = null;
  let { sound } = options;
  let failures = 0;
  const kind = ladderAdapter(source, options.abilities);

  async function createAdapter(lines: number | null): Promise<MediaAdapter | null> {
    const { hlsUrl, playlists } = source;
    if (hlsUrl === null || kind === null) return null;
    if (kind === "native-hls") return createFileAdapter({ kind, url: hlsUrl, events });
    const { createHlsAdapter } = await import("./hls-adapter.ts");
    return createHlsAdapter({ url: hlsUrl, playlists, quality: lines, sound, events });
  }

  async function switchOver(): Promise<void> {
    const former = state;
    state = "switching";
    try {
      const adapter = await createAdapter(quality);
      if (adapter === null || signal.aborted) return;
      const next = await switchElement({
        current: options.media(),
        adapter,
        isPlaying: options.isPlaying,
        gain: source.ladderGain,
        signal,
      });
      if (next === null) {
        adapter.destroy();
        failures += 1;
        state = former;
        return;
      }
      state = "ladder";
      options.onSwitched(next, adapter);
      adapter.selectQuality(quality);
      adapter.selectSound(sound);
    } catch (error) {
      failures += 1;
      state = former;
      console.warn("the adaptive renditions could not be loaded", error);
    }
  }

  async function startInPlace(): Promise<void> {
    state = "ladder";
    const adapter = await createAdapter(null).catch((error: unknown) => {
      console.warn("the player for this video could not be loaded", error);
      return null;
    });
    if (signal.aborted) return;
    if (adapter === null) return events.onFault("unsupported");
    adapter.selectSound(sound);
    adapter.attach(options.media(), 0);
    options.onSwitched(options.media(), adapter);
  }

  if (options.isFirst) void startInPlace();

  return {
    consider() {
      if (state === "file" && failures < 2 && options.isWanted()) void switchOver();
    },
    select(lines, current) {
      quality = lines;
      const needsOther =
        state === "ladder"
          ? current?.selectQuality(lines) === false
          : state === "file" && (lines !== null || options.isWanted());
      if (needsOther) void switchOver();
    },
    selectSound(index, current) {
      sound = index;
      if (state === "ladder") current?.selectSound(index);
      else if (state === "file" && index > 0) void switchOver();
    },

    listQualities() {
      if (source.hlsUrl === null || kind === null) return;
      const inline = source.playlists?.files[source.playlists.master];
      if (inline !== undefined) events.onQualities(parseQualities(inline));
    },
  };
}

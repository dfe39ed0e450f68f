import type { FaultKind, QualityOption } from "../player-state.ts";
import { firstAdapter, type BrowserAbilities, type PlayerSource } from "./player-source.ts";

export interface AdapterEvents {
  onFault(kind: FaultKind): void;
  onQualities(options: readonly QualityOption[]): void;
  /** Called with the height of the current rendition, or null if the adapter doesn't report it. */
  onActiveLines(lines: number | null): void;
}

/** One way to load a video into an element. */
export interface MediaAdapter {
  readonly kind: "progressive" | "native-hls" | "hls-js";
  /** Starts loading at `startS`. If the element already loads this source, it continues. */
  attach(media: HTMLVideoElement, startS: number): void;
  /** Reloads at `positionS` after a fault. */
  retry(positionS: number): void;
  /**
   * Selects a number of lines from `onQualities`, or null for Auto. Returns false if this adapter
   * has left out these renditions, so that another adapter must take over.
   */
  selectQuality(lines: number | null): boolean;
  /** Selects an audio track by index. Adapters with a single track ignore it. */
  selectSound(index: number): void;
  /** Stops every request and leaves the element empty. */
  destroy(): void;
}

/** Empties an element, so that the browser releases its buffers, decoders and requests. */
export function unloadMedia(media: HTMLVideoElement): void {
  media.autoplay = false;
  media.replaceChildren();
  if (!media.hasAttribute("src") && media.currentSrc === "") return;
  media.removeAttribute("src");
  media.load();
}

/**
 * Returns the adapter that starts immediately, or null if only the ladder's module can play the
 * source.
 */
export function createFirstAdapter(
  source: PlayerSource,
  abilities: BrowserAbilities,
  events: AdapterEvents,
): MediaAdapter | null {
  const kind = firstAdapter(source, abilities);
  if (kind === "progressive" && source.progressiveUrl !== null) {
    return createFileAdapter({ kind, url: source.progressiveUrl, events });
  }
  if (kind === "native-hls" && source.hlsUrl !== null) {
    return createFileAdapter({ kind, url: source.hlsUrl, events });
  }
  return null;
}

interface FileAdapterOptions {
  kind: "progressive" | "native-hls";
  url: string;
  events: AdapterEvents;
  isOnline?: () => boolean;
  probe?: (url: string, signal: AbortSignal) => Promise<number>;
}

/** Requests the first two bytes. Returns the status, or 0 without a response. */
async function probeFirstBytes(url: string, signal: AbortSignal): Promise<number> {
  try {
    const response = await fetch(url, {
      headers: { Range: "bytes=0-1" },
      cache: "no-store",
      signal,
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}

/** Audio tracks as WebKit implements them (HTML, 4.8.11.10). */
interface AudioTracks extends EventTarget, ArrayLike<{ enabled: boolean; label: string }> {}

function audioTracksOf(media: HTMLVideoElement): AudioTracks | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no declaration has it
  return (media as { audioTracks?: AudioTracks }).audioTracks ?? null;
}

/**
 * Creates an adapter for a URL that the element loads by itself: a progressive file, or HLS if the
 * browser supports it. The element reports little about an error, so one small request determines
 * the cause.
 */
export function createFileAdapter(options: FileAdapterOptions): MediaAdapter {
  const { kind, url, events, probe = probeFirstBytes } = options;
  const isOnline = options.isOnline ?? (() => navigator.onLine);
  const life = new AbortController();
  const { signal } = life;
  let media: HTMLVideoElement | null = null;
  let sound = 0;

  function applySound(): void {
    const tracks = media === null ? null : audioTracksOf(media);
    if (tracks === null || tracks.length <= sound) return;
    for (const [i, track] of Array.from(tracks).entries()) track.enabled = i === sound;
  }

  async function diagnose(code: number): Promise<FaultKind> {
    if (!isOnline()) return "offline";
    if (code === MediaError.MEDIA_ERR_DECODE) return "corrupt";
    const status = await probe(url, signal);
    if (status === 0) return isOnline() ? "stalled" : "offline";
    if (status >= 400) return status === 429 ? "limited" : "missing";
    // The file is available. A network error was temporary, and any other error is in the content.
    return code === MediaError.MEDIA_ERR_NETWORK ? "stalled" : "unsupported";
  }

  function onError(): void {
    const code = media?.error?.code;
    if (code === undefined || code === MediaError.MEDIA_ERR_ABORTED) return;
    void diagnose(code).then((fault) => {
      if (!signal.aborted && media?.error) events.onFault(fault);
    });
  }

  function start(target: HTMLVideoElement, startS: number): void {
    // The player's captions stay.
    target.replaceChildren(...target.querySelectorAll("track"));
    target.src = url;
    if (startS > 0) target.currentTime = startS;
  }

  return {
    kind,
    attach(target, startS) {
      media = target;
      target.addEventListener("error", onError, { signal });
      if (kind === "native-hls") target.addEventListener("loadedmetadata", applySound, { signal });
      const address = new URL(url, document.baseURI).href;
      const isEmpty =
        target.networkState === HTMLMediaElement.NETWORK_EMPTY ||
        target.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
      if (target.currentSrc === address && target.error === null && !isEmpty) {
        if (startS > 0) target.currentTime = startS;
        return;
      }
      start(target, startS);
    },
    retry(positionS) {
      if (media !== null) start(media, positionS);
    },
    selectQuality() {
      // Files have one quality, so the player changes the adapter instead.
      return true;
    },
    selectSound(index) {
      sound = index;
      if (kind === "native-hls") applySound();
    },

    destroy() {
      life.abort();
      if (media !== null) unloadMedia(media);
      media = null;
    },
  };
}

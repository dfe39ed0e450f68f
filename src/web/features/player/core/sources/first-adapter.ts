import { firstAdapter, type BrowserAbilities } from "./choose-adapter.ts";
import { createFileAdapter } from "./file-adapter.ts";
import type { AdapterEvents, MediaAdapter } from "./media-adapter.ts";
import type { PlayerSource } from "./player-source.ts";

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

import type { PlayerContext } from "../player-context.ts";
import type { Captions } from "./captions.ts";

/** Loads the captions module when the first source with captions is loaded. */
export function createCaptionLoading(player: PlayerContext): {
  /** Follows the current element and source. */
  attach(): void;
  select(id: string | null): void;
  toggle(): void;
} {
  let captions: Captions | null = null;

  async function load(): Promise<void> {
    const { createCaptions } = await import("./captions.ts");
    const { captionMemory: preferences } = player.options;
    captions ??= createCaptions({ commit: player.store.commit, preferences });
    attach();
  }

  function attach(): void {
    const sources = player.viewing?.source.captions;
    if (sources === undefined) return;
    if (captions !== null) captions.attach(player.media, sources);
    else if (sources.length > 0) {
      load().catch((error: unknown) => console.warn("couldn't load captions", error));
    }
  }

  return { attach, select: (id) => captions?.select(id), toggle: () => captions?.toggle() };
}

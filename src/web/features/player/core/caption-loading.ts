import type { Captions } from "./captions.ts";
import type { PlayerContext } from "./player-context.ts";

/** Loads the module of the captions with the first source, where the player shows captions. */
export function createCaptionLoading(player: PlayerContext): {
  /** Follows the present element. */
  attach(): void;
  select(id: string | null): void;
} {
  const { captionMemory } = player.options;
  let captions: Captions | null = null;

  async function load(preferences: NonNullable<typeof captionMemory>): Promise<void> {
    const { createCaptions } = await import("./captions.ts");
    if (captions !== null || player.viewing === null) return;
    captions = createCaptions({ commit: player.store.commit, preferences });
    captions.attach(player.media);
  }

  return {
    attach() {
      if (captions !== null) captions.attach(player.media);
      else if (captionMemory !== null) void load(captionMemory);
    },
    select: (id) => captions?.select(id),
  };
}

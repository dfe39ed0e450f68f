import type { Player } from "../core/player.ts";
import { CaptionOverlay } from "./caption-overlay.tsx";
import { ChapterMarks } from "./chapter-marks.tsx";

/** Parts that only some videos need. They are loaded on first use. */
export function PlayerExtras({ player, root }: { player: Player; root: HTMLElement }) {
  return (
    <>
      <CaptionOverlay player={player} />
      <ChapterMarks player={player} root={root} />
    </>
  );
}

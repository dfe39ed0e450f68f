import type { Player } from "../core/player.ts";
import { CaptionOverlay } from "./caption-overlay.tsx";
import { ChapterMarks } from "./chapter-marks.tsx";

/** What only some videos have, and loads with the first of them. */
export function PlayerExtras({ player, root }: { player: Player; root: HTMLElement }) {
  return (
    <>
      <CaptionOverlay player={player} />
      <ChapterMarks player={player} root={root} />
    </>
  );
}

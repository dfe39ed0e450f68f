import { useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { Player } from "../core/player.ts";
import { CaptionOverlay } from "./caption-overlay.tsx";
import { chapterAt } from "../core/player-state.ts";
import { usePlayerState } from "../use-player-state.ts";

/** Parts that only some videos need. They are loaded on first use. */
export function PlayerExtras({ player, root }: { player: Player; root: HTMLElement }) {
  return (
    <>
      <CaptionOverlay player={player} />
      <ChapterMarks player={player} root={root} />
    </>
  );
}

/** Marks the starts of chapters on the seek bar and shows the title of the current one. */
function ChapterMarks({ player, root }: { player: Player; root: HTMLElement }) {
  const chapters = usePlayerState(player, (state) => state.chapters);
  const durationS = usePlayerState(player, (state) => state.durationS);
  const isAd = usePlayerState(player, (state) => state.adSlot !== null);
  const title = usePlayerState(
    player,
    (state) => chapterAt(state.chapters, state.positionS)?.title ?? "",
  );
  const [bar, setBar] = useState<{ rail: Element; gap: Element } | null>(null);
  // An ad break removes the controls and creates new ones.
  useLayoutEffect(() => {
    const rail = root.querySelector(".player-seek-rail");
    const gap = root.querySelector(".player-gap");
    setBar(isAd || rail === null || gap === null ? null : { rail, gap });
  }, [root, isAd]);
  if (bar === null || durationS === 0 || chapters.length === 0) return null;
  return (
    <>
      {createPortal(
        chapters
          .slice(1)
          .map(({ startS }) => (
            <div
              key={startS}
              className="player-seek-chapter"
              style={{ left: `${Math.min(100, (startS / durationS) * 100).toFixed(3)}%` }}
            />
          )),
        bar.rail,
      )}
      {createPortal(<bdi className="player-chapter">{title}</bdi>, bar.gap)}
    </>
  );
}

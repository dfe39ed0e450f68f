import { useEffect, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import { replayPeakResponse } from "#contract/videos/replay-peak.ts";
import { call } from "#web/lib/api/http.ts";
import { useSite } from "#web/lib/page/site.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { Player } from "../core/player.ts";
import { CaptionOverlay } from "./caption-overlay.tsx";
import { chapterAt } from "../core/player-state.ts";
import { usePlayerState } from "../use-player-state.ts";

const messages = inLanguage("player");

/** Parts that only some videos need. They are loaded on first use. */
export function PlayerExtras({ player, root }: { player: Player; root: HTMLElement }) {
  return (
    <>
      <CaptionOverlay player={player} />
      <ChapterMarks player={player} root={root} />
      <ReplayPeak player={player} root={root} />
    </>
  );
}

/** Finds an element of the controls again after an ad break, which creates new ones. */
function useControlsPart(player: Player, root: HTMLElement, selector: string): Element | null {
  const isAd = usePlayerState(player, (state) => state.adSlot !== null);
  const [part, setPart] = useState<Element | null>(null);
  useLayoutEffect(
    () => setPart(isAd ? null : root.querySelector(selector)),
    [root, isAd, selector],
  );
  return part;
}

/** Marks the most replayed part above the seek bar, if the site shows it. */
function ReplayPeak({ player, root }: { player: Player; root: HTMLElement }) {
  const { replayPeak: isOn } = useSite().settings;
  const sourceId = usePlayerState(player, (state) => state.sourceId);
  const durationS = usePlayerState(player, (state) => state.durationS);
  const bar = useControlsPart(player, root, ".player-seek-track");
  const [found, setFound] = useState<{ id: string; fromS: number; toS: number } | null>(null);
  useEffect(() => {
    if (!isOn || sourceId === null) return;
    call(`/api/videos/${encodeURIComponent(sourceId)}/replays`, replayPeakResponse).then(
      ({ peak }) => setFound(peak === null ? null : { id: sourceId, ...peak }),
      // The player works without it.
      console.warn,
    );
  }, [isOn, sourceId]);
  if (bar === null || found === null || found.id !== sourceId || durationS === 0) return null;
  const percent = (timeS: number) => `${Math.min(100, (timeS / durationS) * 100).toFixed(3)}%`;
  return createPortal(
    <div
      className="player-replay-peak"
      title={messages.mostReplayed}
      style={{ left: percent(found.fromS), width: percent(found.toS - found.fromS) }}
    />,
    bar,
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

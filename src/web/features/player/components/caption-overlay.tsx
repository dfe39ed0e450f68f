import { useLayoutEffect, useRef } from "react";
import type { Player } from "../core/player.ts";
import { usePlayerState } from "../use-player-state.ts";

/** Returns whether a cue is in the upper half and therefore placed at the top. */
function isAbove({ line, snapToLines }: VTTCue): boolean {
  if (line === "auto") return false;
  return snapToLines ? line >= 0 && line < 6 : line < 50;
}

/** Shows the caption lines for the current time. */
export function CaptionOverlay({ player }: { player: Player }) {
  const { language, lines } = usePlayerState(player, (state) => state.cues);
  if (lines.length === 0) return null;
  const lang = language === "und" || language === "" ? undefined : language;
  return (
    <>
      {[true, false].map((isTop) => (
        <div
          key={String(isTop)}
          className="player-captions"
          data-top={isTop || undefined}
          lang={lang}
        >
          {lines
            .filter((cue) => isAbove(cue) === isTop)
            .map((cue) => (
              <CaptionLine key={`${cue.startTime} ${cue.text}`} cue={cue} />
            ))}
        </div>
      ))}
    </>
  );
}

function CaptionLine({ cue }: { cue: VTTCue }) {
  const line = useRef<HTMLParagraphElement>(null);
  // The browser returns a tree of allowed elements, so no HTML text is inserted.
  useLayoutEffect(() => line.current?.replaceChildren(cue.getCueAsHTML()), [cue]);
  return <p ref={line} dir="auto" data-align={cue.align} />;
}

import {
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
} from "react";
import { formatDuration, spokenDuration } from "#web/lib/format/format.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { Player } from "../../core/player.ts";
import type { StoryboardTile } from "../../core/storyboard.ts";
import { usePlayerState } from "../../use-player-state.ts";
import "./seek-bar.css";

const messages = inLanguage("player");

interface Storyboard {
  url: string;
  tileAt: (timeS: number) => StoryboardTile | null;
}

const noTile = () => null;
const stepS = 5;
const pageStepS = 30;

function tileStyle(tile: StoryboardTile): CSSProperties {
  return {
    width: tile.width,
    height: tile.height,
    backgroundImage: `url("${tile.url}")`,
    backgroundPosition: `-${tile.x}px -${tile.y}px`,
  };
}

const percent = (share: number) => `${Math.min(100, Math.max(0, share * 100)).toFixed(3)}%`;

/**
 * Shows the position, the buffered ranges and the storyboard image for the time under the pointer.
 */
export function SeekBar({
  player,
  storyboardUrl,
}: {
  player: Player;
  storyboardUrl: string | null;
}) {
  const positionS = usePlayerState(player, (state) => state.positionS);
  const durationS = usePlayerState(player, (state) => state.durationS);
  const buffered = usePlayerState(player, (state) => state.buffered);
  const [pointedS, setPointedS] = useState<number | null>(null);
  const [heldS, setHeldS] = useState<number | null>(null);
  const track = useRef<HTMLDivElement>(null);
  const tileAt = useStoryboard(storyboardUrl, pointedS !== null);

  const shownS = heldS ?? positionS;
  const share = durationS > 0 ? shownS / durationS : 0;
  const tile = pointedS === null ? null : tileAt(pointedS);

  const timeAt = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return 0;
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * durationS;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Record<string, number> = {
      ArrowLeft: positionS - stepS,
      ArrowDown: positionS - stepS,
      ArrowRight: positionS + stepS,
      ArrowUp: positionS + stepS,
      PageDown: positionS - pageStepS,
      PageUp: positionS + pageStepS,
      Home: 0,
      End: durationS,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    player.seekTo(target);
  };

  return (
    <div className="player-seek" data-held={heldS !== null || undefined}>
      <div
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label={messages.seek}
        aria-valuemin={0}
        aria-valuemax={Math.max(1, Math.round(durationS))}
        aria-valuenow={Math.round(shownS)}
        aria-valuetext={messages.position(spokenDuration(shownS), spokenDuration(durationS))}
        className="player-seek-track"
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setHeldS(timeAt(event));
          setPointedS(timeAt(event));
        }}
        onPointerMove={(event) => {
          setPointedS(timeAt(event));
          if (heldS !== null) setHeldS(timeAt(event));
        }}
        onPointerUp={(event) => {
          if (heldS === null) return;
          player.seekTo(timeAt(event));
          setHeldS(null);
          if (event.pointerType !== "mouse") setPointedS(null);
        }}
        onPointerCancel={() => {
          setHeldS(null);
          setPointedS(null);
        }}
        onPointerLeave={() => {
          if (heldS === null) setPointedS(null);
        }}
      >
        <div className="player-seek-rail">
          {buffered.map(({ startS, endS }) => (
            <div
              key={startS}
              className="player-seek-buffered"
              style={{
                left: percent(startS / (durationS || 1)),
                width: percent((endS - startS) / (durationS || 1)),
              }}
            />
          ))}
          <div className="player-seek-played" style={{ width: percent(share) }} />
        </div>
        <div className="player-seek-thumb" style={{ left: percent(share) }} />
      </div>
      {pointedS === null || durationS === 0 ? null : (
        <div
          className="player-seek-hint"
          style={{ "--at": percent(pointedS / durationS) } as CSSProperties}
          aria-hidden="true"
        >
          {tile === null ? null : <div className="player-seek-tile" style={tileStyle(tile)} />}
          <span>{formatDuration(pointedS)}</span>
        </div>
      )}
    </div>
  );
}

/**
 * Returns a function that finds the tile of a time. The tiles are loaded when a pointer reaches the
 * seek bar.
 */
function useStoryboard(
  url: string | null,
  isWanted: boolean,
): (timeS: number) => StoryboardTile | null {
  const [loaded, setLoaded] = useState<Storyboard | null>(null);
  useEffect(() => {
    if (url === null || !isWanted || loaded?.url === url) return;
    const leaving = new AbortController();
    const load = async () => {
      const [{ parseStoryboard, tileAt }, response] = await Promise.all([
        import("../../core/storyboard.ts"),
        fetch(url, { signal: leaving.signal }),
      ]);
      if (!response.ok) return;
      const tiles = parseStoryboard(await response.text(), response.url);
      setLoaded({ url, tileAt: (timeS) => tileAt(tiles, timeS) });
    };
    load().catch((error: unknown) => {
      if (!leaving.signal.aborted) console.warn("storyboard failed", error);
    });
    return () => leaving.abort();
  }, [url, isWanted, loaded]);
  return loaded?.url === url ? loaded.tileAt : noTile;
}

import { useEffect, useState, type CSSProperties } from "react";
import { classNames } from "#web/components/ui/class-names.ts";
import {
  parseStoryboard,
  tileAt,
  type StoryboardTile,
} from "#web/features/player/core/storyboard.ts";

/** Minimum width of a picture, in px. */
const minCell = 110;

/** Row of storyboard pictures for a stretch of a video. */
export function StoryboardStrip({
  url,
  startS,
  endS,
  width,
  className,
  style,
}: {
  url: string;
  startS: number;
  endS: number;
  width: number;
  className?: string;
  style?: CSSProperties;
}) {
  const [tiles, setTiles] = useState<StoryboardTile[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    fetch(url, { signal: leaving.signal })
      .then(async (response) => {
        if (!response.ok) return;
        const base = response.url || new URL(url, document.baseURI).href;
        setTiles(parseStoryboard(await response.text(), base));
      })
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) console.warn("storyboard failed", error);
      });
    return () => leaving.abort();
  }, [url]);
  const [first] = tiles;
  if (first === undefined) return null;
  const count = Math.max(2, Math.floor(width / minCell));
  const cell = width / count;
  const scale = cell / first.width;
  return (
    <div
      aria-hidden="true"
      className={classNames("flex items-center overflow-hidden", className)}
      style={{ ...style, width }}
    >
      {Array.from({ length: count }, (_, index) => {
        const tile = tileAt(tiles, startS + ((index + 0.5) / count) * (endS - startS)) ?? first;
        return (
          <div
            key={`${index}`}
            className="shrink-0 overflow-hidden"
            style={{ width: cell, height: first.height * scale }}
          >
            <div
              style={{
                width: tile.width,
                height: tile.height,
                transform: `scale(${scale})`,
                transformOrigin: "0 0",
                backgroundImage: `url("${tile.url}")`,
                backgroundPosition: `-${tile.x}px -${tile.y}px`,
              }}
            />
          </div>
        );
      })}
    </div>
  );
}

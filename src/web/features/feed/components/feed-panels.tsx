import { ChevronDownIcon, ChevronUpIcon } from "lucide-react";
import { feedKeys, feedMessages as messages } from "../messages.ts";
import type { FeedEntry } from "../core/timeline.ts";
import { SourceLink } from "../../../components/site/source-link.tsx";
import { formatDuration } from "../../../lib/format/format.ts";
import "./feed-panels.css";

interface MoveButtonsProps {
  canGoBack: boolean;
  canGoOn: boolean;
  onMove: (direction: 1 | -1) => void;
}

export function MoveButtons({ canGoBack, canGoOn, onMove }: MoveButtonsProps) {
  return (
    <div className="feed-moves">
      <button
        type="button"
        aria-label={messages.previous}
        disabled={!canGoBack}
        onClick={() => onMove(-1)}
      >
        <ChevronUpIcon className="size-6" />
      </button>
      <button
        type="button"
        aria-label={messages.next}
        disabled={!canGoOn}
        onClick={() => onMove(1)}
      >
        <ChevronDownIcon className="size-6" />
      </button>
    </div>
  );
}

function NextThumbnail({ entry, onPress }: { entry: FeedEntry; onPress: () => void }) {
  if (entry.kind === "ad") {
    return (
      <button type="button" className="feed-next" onClick={onPress}>
        <span className="feed-next-picture" />
        <span className="feed-next-title">{messages.sponsored}</span>
      </button>
    );
  }
  const { video } = entry;
  return (
    <button type="button" className="feed-next" onClick={onPress}>
      <span className="feed-next-picture">
        {video.thumbnailUrl === null ? null : (
          <img src={video.thumbnailUrl} alt="" loading="lazy" />
        )}
        <span className="feed-next-time">{formatDuration(video.duration)}</span>
      </span>
      <span className="feed-next-title">{video.title}</span>
    </button>
  );
}

/** Beside the frame on a wide screen: the next items, and the keys. */
export function NextPanel({
  next,
  onGo,
}: {
  next: { place: number; entry: FeedEntry }[];
  onGo: (place: number) => void;
}) {
  return (
    <aside className="feed-panel feed-panel-next" aria-label={messages.upNext}>
      {next.length === 0 ? null : (
        <>
          <h2 className="feed-panel-title">{messages.upNext}</h2>
          <ul>
            {next.map(({ place, entry }) => (
              <li key={entry.key}>
                <NextThumbnail entry={entry} onPress={() => onGo(place)} />
              </li>
            ))}
          </ul>
        </>
      )}
      <h2 className="feed-panel-title">{messages.keys}</h2>
      <dl className="feed-keys">
        {feedKeys.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <SourceLink className="mt-4 inline-flex min-h-11 items-center text-sm text-ink-11 hover:underline" />
    </aside>
  );
}

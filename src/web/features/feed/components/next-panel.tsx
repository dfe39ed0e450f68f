import { firstCharacters } from "#contract/text.ts";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";
import { formatDuration } from "#web/lib/format/format.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { FeedEntry } from "../core/timeline.ts";

const messages = inLanguage("feed");
const feedKeyTexts = inLanguage("feedKeys");

/** Rows of the keyboard shortcuts beside the feed. Loaded with the panel that shows them. */
const feedKeys = [
  { keys: ["↑", "↓"], does: "move" },
  { keys: ["space"], does: "play" },
  { keys: ["M"], does: "sound" },
  { keys: ["←", "→"], does: "seek" },
  { keys: ["L"], does: "like" },
] as const;

function NextItem({ entry, onPress }: { entry: FeedEntry; onPress: () => void }) {
  const { src, title, durationS, isSensitive } =
    entry.kind === "ad"
      ? { src: entry.ad.imageUrl, title: entry.ad.title, durationS: null, isSensitive: false }
      : {
          src: entry.video.thumbnailUrl,
          title: entry.video.title,
          durationS: entry.video.duration,
          isSensitive: entry.video.isSensitive,
        };
  return (
    <button type="button" className="feed-next" onClick={onPress}>
      <span className="feed-next-picture">
        {entry.kind === "ad" && src === null ? (
          <span aria-hidden="true" className="feed-next-mark">
            {firstCharacters(title, 1)}
          </span>
        ) : (
          <Thumbnail src={src} className={isSensitive ? "blur-xl" : undefined} />
        )}
        {durationS === null ? null : (
          <span className="feed-next-time">{formatDuration(durationS)}</span>
        )}
      </span>
      <span>
        {entry.kind === "ad" ? <span className="feed-next-ad">{messages.sponsored}</span> : null}
        <bdi className="feed-next-title title-lines">{title}</bdi>
      </span>
    </button>
  );
}

/**
 * Shows the next items and the keyboard shortcuts beside the frame on wide screens. Loaded after
 * the feed.
 */
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
                <NextItem entry={entry} onPress={() => onGo(place)} />
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
                <kbd key={key}>{key === "space" ? feedKeyTexts.space : key}</kbd>
              ))}
            </dt>
            <dd>{feedKeyTexts[does]}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

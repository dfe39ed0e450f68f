import { counted } from "#web/lib/format/format.ts";
import { videoHref, type CardVideo } from "#web/lib/lists/card-video.ts";
import { partHref } from "#web/lib/lists/part-href.ts";
import { DurationPill, Why } from "./card-notes.tsx";
import { useHoverPreview } from "./hover-preview.tsx";
import { findSearchParts } from "./search-parts.ts";
import { Thumbnail } from "./thumbnail.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const formatTexts = inLanguage("format");
const messages = inLanguage("videos");

/** Button beside the card's link that opens the save menu. One script handles all these buttons. */
export function SaveButton({ video }: { video: CardVideo }) {
  return (
    <button
      type="button"
      aria-label={messages.keep(video.title)}
      data-save={video.slug}
      className="card-save"
    >
      ⋮
    </button>
  );
}

/** One video in a list. The whole card is a link. */
export function VideoCard({
  video,
  isEager = false,
  searches,
}: {
  video: CardVideo;
  isEager?: boolean;
  /** Searches whose words are highlighted in the title. */
  searches?: readonly string[] | undefined;
}) {
  const MarkedText = findSearchParts()?.MarkedText;
  const { clip, pointer } = useHoverPreview(video.isSensitive === true ? null : video.previewUrl);
  return (
    <a
      href={pagePath(
        video.part ? partHref(video.slug, video.part.in) : videoHref(video.slug, video.startS),
      )}
      className="group block rounded-md"
      {...pointer}
    >
      <span className="relative block aspect-video overflow-hidden rounded-md bg-ink-3">
        <Thumbnail
          src={video.thumbnail}
          isEager={isEager}
          className={video.isSensitive === true ? "blur-xl" : undefined}
        />
        {clip}
        {video.isPremium ? (
          <span className="absolute top-1.5 inset-s-1.5 rounded-sm bg-lamp px-1.5 py-0.5 text-xs font-semibold text-lamp-ink">
            {messages[video.isLocked ? "members" : "premium"]}
          </span>
        ) : null}
        {video.part === undefined ? null : <span className="card-part">{video.part.number}</span>}
        <DurationPill durationS={video.durationS} />
      </span>
      <span className="card-texts">
        <span className="block pe-6">
          <bdi className="title-lines text-sm font-medium text-ink-12 group-hover:text-lamp-text md:text-base md:leading-snug">
            {MarkedText === undefined || searches === undefined ? (
              video.title
            ) : (
              <MarkedText text={video.title} searches={searches} />
            )}
          </bdi>
        </span>
        {video.category === null ? null : (
          <bdi className="mt-1 block truncate text-xs text-ink-11 md:text-sm">{video.category}</bdi>
        )}
        <span className="tabular facts mt-0.5 text-xs text-ink-11">
          <span>{counted(video.views, formatTexts.views)}</span>
          <span>{counted(video.likes, formatTexts.likes)}</span>
          <span>{video.age}</span>
        </span>
        <Why text={video.why} />
      </span>
    </a>
  );
}

import type { ReactNode } from "react";
import type { WatchableVideo } from "../load-video.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { counted, formatDate } from "#web/lib/format/format.ts";
import { useLike } from "../hooks/use-like.ts";
import { VideoActions } from "./video-actions.tsx";
import { VideoComments } from "#web/features/comments/video-comments.tsx";
import { TranscriptPlace } from "#web/features/transcript/transcript-place.tsx";
import type { LabelKind } from "#contract/lists/labels.ts";
import { ChipLink } from "#web/components/ui/chip.tsx";
import { addresses, descriptionParts } from "#contract/videos/description-parts.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const formatTexts = inLanguage("format");
const messages = inLanguage("video");

const maxLines = 5;

/** Start of a folded text: ends before a space, after a punctuation mark, or after a character. */
const folded =
  /^(?:.{160,320}(?=\s|$)|(?:.{160,319}\p{P}|.{0,319}[^\u200d])(?![\p{M}\p{EMod}\u200d]))/su;

/** Splits a long text between words, after a maximum number of characters or lines. */
export function foldDescription(text: string): [start: string, rest: string] {
  const lines = text.split("\n");
  // Texts that are only slightly longer aren't folded.
  if (text.length <= 400 && lines.length <= maxLines + 1) return [text, ""];
  const [start = text] = folded.exec(lines.slice(0, maxLines).join("\n")) ?? [];
  let end = start.length;
  // An address at the end is shown as a whole.
  for (const { index, 0: address } of text.matchAll(addresses)) {
    if (index < end) end = Math.max(end, index + address.length);
  }
  return [text.slice(0, end), text.slice(end)];
}

function LinkedText({ text }: { text: string }) {
  return descriptionParts(text).map((part, index) =>
    part.href === null ? (
      part.text
    ) : (
      <a
        // The parts of a text never change their order.
        // eslint-disable-next-line react/no-array-index-key
        key={index}
        href={pagePath(part.href)}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="text-lamp-text underline"
      >
        {part.text}
      </a>
    ),
  );
}

/** Shows the description. Long ones are collapsed with `<details>`, which needs no scripts. */
function VideoDescription({ description }: { description: string | null }) {
  const text = (description ?? "").replace(/\r\n/g, "\n").trim();
  if (text === "") return null;
  const [start, rest] = foldDescription(text);
  return (
    <section aria-label={messages.description} className="description">
      <p dir="auto">
        <LinkedText text={start} />
        {rest === "" ? null : (
          <>
            <span className="if-folded">…</span>
            <span className="if-open">
              <LinkedText text={rest} />
            </span>
          </>
        )}
      </p>
      {rest === "" ? null : (
        <details>
          <summary>
            <span className="if-folded">{messages.more}</span>
            <span className="if-open">{messages.less}</span>
          </summary>
        </details>
      )}
    </section>
  );
}

interface LabelGroup {
  kind: LabelKind;
  labels: { slug: string; name: string }[];
}

/** Links to the pages of labels. */
function LabelChips({ groups, className = "" }: { groups: LabelGroup[]; className?: string }) {
  const shown = groups.filter(({ labels }) => labels.length > 0);
  if (shown.length === 0) return null;
  return (
    <div className={`flex flex-wrap gap-2 ${className}`}>
      {shown.map(({ kind, labels }) => (
        <ul key={kind} aria-label={messages[kind]} className="contents">
          {labels.map(({ slug, name }) => (
            <li key={slug} className="max-w-full">
              <ChipLink href={`/${kind}/${encodeURIComponent(slug)}`} className="max-w-full">
                <bdi className="truncate">{kind === "tags" ? `#${name}` : name}</bdi>
              </ChipLink>
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}

/**
 * Content below the player. Rendered with one key per video, so that a late response never changes
 * the next video.
 */
export function AboutVideo({
  video,
  transcriptHtml,
  children,
}: {
  video: WatchableVideo["video"];
  transcriptHtml: string | undefined;
  /** Shown below the title. */
  children?: ReactNode;
}) {
  const like = useLike(video.slug, video.likes);
  const publishedAt = video.publishedAt ?? video.createdAt;
  return (
    <>
      <h1 className="video-page-title">
        <bdi>{video.title}</bdi>
      </h1>
      <LabelChips
        groups={[{ kind: "actors", labels: video.actors.map(({ actor }) => actor) }]}
        className="video-page-title mt-2"
      />
      {children}
      <div className="video-facts">
        <p className="tabular">
          {video.isPremium ? <Badge tone="lamp">{messages.hd}</Badge> : null}
          {video.isPublished ? null : <Badge tone="danger">{messages.draft}</Badge>}
          <span className="facts">
            <span>{counted(video.views, formatTexts.views)}</span>
            <span aria-live="polite">{counted(like.likesCount, formatTexts.likes)}</span>
            <time dateTime={publishedAt}>{formatDate(publishedAt)}</time>
          </span>
        </p>
        <VideoActions video={video} like={like} />
      </div>
      <div className="video-more space-y-6">
        <VideoDescription description={video.description} />
        <LabelChips
          groups={[
            { kind: "categories", labels: video.categories.map(({ category }) => category) },
            { kind: "tags", labels: video.tags.map(({ tag }) => tag) },
          ]}
        />
        {video.captions === undefined ? null : (
          <TranscriptPlace video={video} html={transcriptHtml} />
        )}
        <VideoComments slug={video.slug} title={messages.comments} />
      </div>
    </>
  );
}

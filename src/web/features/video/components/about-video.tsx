import type { ReactNode } from "react";
import type { WatchableVideo } from "../load-video.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { counted, formatDate } from "#web/lib/format/format.ts";
import { useLike } from "../hooks/use-like.ts";
import { VideoActions } from "./video-actions.tsx";
import { VideoComments } from "#web/features/comments/video-comments.tsx";
import { TranscriptPlace } from "#web/features/transcript/transcript-place.tsx";
import type { Video } from "#contract/videos/videos.ts";
import { ChipLink } from "#web/components/ui/chip.tsx";
import { descriptionParts } from "#contract/videos/description-parts.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const formatTexts = inLanguage("format");
const messages = inLanguage("video");

/** Splits a long text between words, after a maximum number of characters or lines. */
export function foldDescription(
  text: string,
  maxCharacters = 320,
  maxLines = 5,
): { start: string; rest: string } {
  const lines = text.split("\n");
  const byLines = lines.slice(0, maxLines).join("\n").length;
  const end = Math.min(byLines, maxCharacters);
  // Texts that are only slightly longer aren't folded.
  if (text.length <= end + 80 && lines.length <= maxLines + 1) return { start: text, rest: "" };
  const cut = text.slice(0, end + 1);
  const atSpace = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
  const at = atSpace > end / 2 ? atSpace : end;
  return { start: text.slice(0, at), rest: text.slice(at) };
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
  const { start, rest } = foldDescription(text);
  const style = "whitespace-pre-line break-words leading-6 text-pretty";
  return (
    <section aria-label={messages.description} className="max-w-3xl">
      {rest === "" ? (
        <p dir="auto" className={style}>
          <LinkedText text={start} />
        </p>
      ) : (
        <details className="fold group">
          <summary className="block list-none">
            <span dir="auto" className={`block ${style}`}>
              <LinkedText text={start} />
              <span className="group-open:hidden">…</span>
              <span className="hidden group-open:inline">
                <LinkedText text={rest} />
              </span>
            </span>
            <span className="mt-1 flex min-h-11 items-center text-sm font-semibold text-ink-11 hover:text-ink-12">
              <span className="group-open:hidden">{messages.more}</span>
              <span className="hidden group-open:inline">{messages.less}</span>
            </span>
          </summary>
        </details>
      )}
    </section>
  );
}

interface LabelLink {
  key: string;
  href: string;
  text: string;
}

interface LabelGroup {
  title: string;
  links: LabelLink[];
}

function linksOf(video: Video): { actors: LabelGroup; others: LabelGroup[] } {
  const link = (base: string, label: { slug: string; name: string }, prefix = ""): LabelLink => ({
    key: label.slug,
    href: `/${base}/${encodeURIComponent(label.slug)}`,
    text: prefix + label.name,
  });
  return {
    actors: {
      title: messages.actors,
      links: video.actors.map(({ actor }) => link("actors", actor)),
    },
    others: [
      {
        title: messages.categories,
        links: video.categories.map(({ category }) => link("categories", category)),
      },
      { title: messages.tags, links: video.tags.map(({ tag }) => link("tags", tag, "#")) },
    ],
  };
}

/** Links to the pages of labels. */
function LabelChips({ groups, className = "" }: { groups: LabelGroup[]; className?: string }) {
  const shown = groups.filter(({ links }) => links.length > 0);
  if (shown.length === 0) return null;
  return (
    <div className={`flex flex-wrap gap-2 ${className}`}>
      {shown.map(({ title, links }) => (
        <ul key={title} aria-label={title} className="contents">
          {links.map(({ key, href, text }) => (
            <li key={key} className="max-w-full">
              <ChipLink href={href} className="max-w-full">
                <bdi className="truncate">{text}</bdi>
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
  const { actors, others } = linksOf(video);
  return (
    <>
      <h1 className="video-page-title mt-4 text-lg font-semibold tracking-tight break-words md:text-xl md:leading-8">
        <bdi>{video.title}</bdi>
      </h1>
      <LabelChips groups={[actors]} className="video-page-title mt-2" />
      {children}
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <p className="tabular flex flex-wrap items-center gap-x-2 text-sm text-ink-11">
          {video.isPremium ? <Badge tone="lamp">{messages.hd}</Badge> : null}
          {video.isPublished ? null : <Badge tone="danger">{messages.draft}</Badge>}
          <span className="facts">
            <span>{counted(video.views, formatTexts.views)}</span>
            <span aria-live="polite">{counted(like.count, formatTexts.likes)}</span>
            <time dateTime={publishedAt}>{formatDate(publishedAt)}</time>
          </span>
        </p>
        <VideoActions video={video} like={like} />
      </div>
      <div className="mt-6 space-y-6 border-t border-line pt-6">
        <VideoDescription description={video.description} />
        <LabelChips groups={others} />
        {video.captions === undefined ? null : (
          <TranscriptPlace video={video} html={transcriptHtml} />
        )}
        <VideoComments slug={video.slug} title={messages.comments} />
      </div>
    </>
  );
}

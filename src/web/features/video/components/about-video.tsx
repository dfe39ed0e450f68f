import type { WatchableVideo } from "../load-video.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { counted, formatDate } from "#web/lib/format/format.ts";
import { formatTexts } from "#web/lib/format/messages.ts";
import { useLike } from "../hooks/use-like.ts";
import { videoPageMessages as messages } from "../messages.ts";
import { LabelChips } from "./label-chips.tsx";
import { VideoActions } from "./video-actions.tsx";
import { VideoComments } from "#web/features/comments/video-comments.tsx";
import { VideoDescription } from "./video-description.tsx";

/**
 * Content below the player. Rendered with one key per video, so that a late response never changes
 * the next video.
 */
export function AboutVideo({ video }: Pick<WatchableVideo, "video">) {
  const like = useLike(video.slug, video.likes);
  const publishedAt = video.publishedAt ?? video.createdAt;
  return (
    <>
      <h1 className="video-page-title mt-4 text-lg font-semibold tracking-tight break-words md:text-xl md:leading-8">
        <bdi>{video.title}</bdi>
      </h1>
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
        <LabelChips video={video} />
        <VideoComments slug={video.slug} title={messages.comments} />
      </div>
    </>
  );
}

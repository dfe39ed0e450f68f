import { DurationPill, Why } from "#web/components/video/card-notes.tsx";
import { useHoverPreview } from "#web/components/video/hover-preview.tsx";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";
import { videoHref, type CardVideo } from "#web/lib/lists/card-video.ts";
import { counted } from "#web/lib/format/format.ts";
import { formatTexts } from "#web/lib/format/messages.ts";
import { videoPageMessages as messages } from "../messages.ts";
import { pagePath } from "#web/lib/language/page-language.ts";

function RelatedVideo({ video }: { video: CardVideo }) {
  const { clip, pointer } = useHoverPreview(video.isSensitive === true ? null : video.previewUrl);
  return (
    <a href={pagePath(videoHref(video.slug))} className="group flex gap-3 rounded-md" {...pointer}>
      <span className="relative block aspect-video w-40 shrink-0 self-start overflow-hidden rounded-md bg-ink-3 sm:w-44">
        <Thumbnail
          src={video.thumbnail}
          className={video.isSensitive === true ? "blur-xl" : undefined}
        />
        {clip}
        <DurationPill durationS={video.durationS} />
      </span>
      <span className="min-w-0 py-0.5">
        <bdi className="title-lines text-sm font-medium group-hover:text-lamp-text">
          {video.title}
        </bdi>
        <span className="tabular mt-1 block text-xs text-ink-11">
          {counted(video.views, formatTexts.views)}
        </span>
        <Why text={video.why} />
      </span>
    </a>
  );
}

export function RelatedVideos({ videos }: { videos: readonly CardVideo[] }) {
  return (
    <section aria-labelledby="related-heading">
      <h2 id="related-heading" className="mb-4 text-base font-semibold">
        {messages.related}
      </h2>
      {videos.length === 0 ? (
        <p className="text-sm text-ink-11">{messages.noRelated}</p>
      ) : (
        <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-1">
          {videos.map((video) => (
            <li key={video.slug} className="min-w-0">
              <RelatedVideo video={video} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import { DurationPill } from "#web/components/video/card-notes.tsx";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";
import { gridClass } from "#web/components/video/video-grid.tsx";
import { focusNextItem } from "#web/lib/focus-next-item.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import type { KeptVideo } from "#web/lib/visitor-library/library-data.ts";
import { libraryMessages as messages } from "../messages.ts";
import { pagePath } from "#web/lib/language/page-language.ts";

/** Lists videos that are saved in this browser. Each has a button that removes it. */
export function KeptVideos({
  videos,
  empty,
  onRemove,
}: {
  videos: readonly KeptVideo[];
  empty: string;
  onRemove: (slug: string) => void;
}) {
  if (videos.length === 0) return <p className="text-sm text-ink-11">{empty}</p>;
  return (
    <ul className={gridClass}>
      {videos.map(({ slug, title, thumbnail, isSensitive, durationS }) => (
        <li key={slug} className="flex min-w-0 flex-col">
          <a href={pagePath(videoHref(slug))} className="group block rounded-md">
            <span className="relative block aspect-video overflow-hidden rounded-md bg-ink-3">
              <Thumbnail src={thumbnail} className={isSensitive ? "blur-xl" : undefined} />
              <DurationPill durationS={durationS} />
            </span>
            <bdi className="title-lines mt-2 text-sm font-medium group-hover:text-lamp-text">
              {title}
            </bdi>
          </a>
          <button
            type="button"
            aria-label={messages.removeVideo(title)}
            onClick={() => {
              focusNextItem();
              onRemove(slug);
            }}
            className="-ms-2 mt-auto flex min-h-11 items-center self-start rounded-md px-2 text-xs font-medium text-ink-11 hover:text-ink-12 hover:underline"
          >
            {messages.remove}
          </button>
        </li>
      ))}
    </ul>
  );
}

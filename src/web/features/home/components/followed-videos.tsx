import { useEffect, useState } from "react";
import { Skeleton } from "#web/components/ui/states.tsx";
import { SaveButton, VideoCard } from "#web/components/video/video-card.tsx";
import { browserApi } from "#web/lib/api/page-api.ts";
import type { Follow } from "#web/lib/visitor-library/library-data.ts";
import { useLibrary } from "#web/lib/visitor-library/library.ts";
import { toCardVideo, type CardVideo } from "#web/lib/lists/card-video.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("home");

/** Maximum number of recently followed labels whose new videos are shown. */
const labelsMax = 12;
const videosMax = 12;

const queryOf = ({ kind, slug }: Follow) =>
  kind === "categories" ? { category: slug } : kind === "tags" ? { tag: slug } : { actor: slug };

/**
 * Returns the newest videos of these labels, without duplicates. Null if no label could be read.
 */
async function listNewest(follows: readonly Follow[]): Promise<CardVideo[] | null> {
  const lists = await Promise.allSettled(
    follows.slice(0, labelsMax).map((follow) =>
      browserApi.listVideos({
        ...queryOf(follow),
        sort: "newest",
        published: true,
        limit: videosMax,
      }),
    ),
  );
  // Deleted labels have no list.
  const loaded = lists.flatMap((list) => (list.status === "fulfilled" ? [list.value.videos] : []));
  if (loaded.length === 0) return null;
  const known = new Map(loaded.flat().map((video) => [video.id, video]));
  const publishedAt = (video: { publishedAt: string | null; createdAt: string }) =>
    video.publishedAt ?? video.createdAt;
  return [...known.values()]
    .toSorted((a, b) => publishedAt(b).localeCompare(publishedAt(a)))
    .slice(0, videosMax)
    .map((video) => ({ ...toCardVideo(video), why: null }));
}

const itemClass = "relative w-60 shrink-0 snap-start";

function Loading() {
  return (
    <div className="flex gap-4">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className={itemClass}>
          <Skeleton className="aspect-video w-full rounded-md" />
          <Skeleton className="mt-3 h-4 w-11/12" />
          <Skeleton className="mt-2 h-3 w-1/2" />
        </div>
      ))}
    </div>
  );
}

/** Only loaded if the visitor follows something. */
export function FollowedVideos() {
  const { follows } = useLibrary();
  const [videos, setVideos] = useState<CardVideo[] | null | undefined>();
  useEffect(() => {
    let isGone = false;
    void listNewest(follows).then((found) => {
      if (!isGone) setVideos(found);
    });
    return () => {
      isGone = true;
    };
  }, [follows]);
  return (
    <section aria-labelledby="followed-heading">
      <div className="flex h-11 items-center justify-between gap-4">
        <h2 id="followed-heading" className="text-base font-semibold">
          {messages.followed}
        </h2>
        <a
          href={pagePath("/library")}
          className="inline-flex min-h-11 items-center text-sm underline"
        >
          {messages.followedAll}
        </a>
      </div>
      {videos === undefined ? (
        <Loading />
      ) : videos === null || videos.length === 0 ? (
        <p className="text-sm text-ink-11">
          {videos === null ? messages.followedFailed : messages.followedNone}
        </p>
      ) : (
        <ul className="-m-1 no-scrollbar flex snap-x scroll-px-1 gap-4 overflow-x-auto p-1">
          {videos.map((video) => (
            <li key={video.slug} className={itemClass}>
              <VideoCard video={video} />
              <SaveButton video={video} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import { useEffect, useState } from "react";
import { relatedList, type ListedVideo, type Video } from "#contract/videos/videos.ts";
import { call } from "#web/lib/api/http.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { WholeVideo } from "./whole-video.tsx";

const messages = inLanguage("clips");

/** Clips of a video, or the link from a clip to its long video. */
export function VideoClips({ video }: { video: Video }) {
  return video.clipOf === undefined ? (
    <ClipList key={video.slug} slug={video.slug} />
  ) : (
    <WholeVideo video={video} className="whole-video-on-page" />
  );
}

function ClipList({ slug }: Pick<Video, "slug">) {
  const [clips, setClips] = useState<ListedVideo[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    call(`/api/videos/${encodeURIComponent(slug)}/clips`, relatedList, {
      signal: leaving.signal,
    }).then(setClips, (error: unknown) => {
      if (!leaving.signal.aborted) console.warn("couldn't load the clips", error);
    });
    return () => leaving.abort();
  }, [slug]);
  if (clips.length === 0) return null;
  return (
    <section aria-labelledby="clips-heading">
      <h2 id="clips-heading" className="mb-4 text-base font-semibold">
        {messages.heading}
      </h2>
      <ul className="flex snap-x gap-3 overflow-x-auto pb-2">
        {clips.map(({ id, slug: clip, title, thumbnail, duration, isSensitive }) => (
          <li key={id} className="w-28 shrink-0 snap-start">
            <a href={pagePath(`/feed/${clip}`)} className="group block">
              <span className="relative block aspect-[9/16] overflow-hidden rounded-md bg-ink-3">
                {thumbnail === null ? null : (
                  <img
                    src={thumbnail}
                    alt=""
                    loading="lazy"
                    className={`size-full object-cover ${isSensitive === true ? "blur-lg" : ""}`}
                  />
                )}
                <span className="tabular absolute end-1 bottom-1 rounded-sm bg-black/70 px-1 text-xs text-white">
                  {formatDuration(duration)}
                </span>
              </span>
              <bdi className="title-lines mt-1.5 text-sm font-medium group-hover:text-lamp-text">
                {title}
              </bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

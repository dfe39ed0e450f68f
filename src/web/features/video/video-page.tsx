import { useEffect } from "react";
import {
  useLoaderData,
  useLocation,
  useParams,
  useRevalidator,
  useRouteError,
  type LoaderFunctionArgs,
} from "react-router";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { findSeriesParts, loadSeriesParts } from "#web/components/video/series-parts.ts";
import { pageApiContext, pageHandle, statusOf } from "#web/lib/page/page-route.ts";
import { videoHref, type CardVideo } from "#web/lib/lists/card-video.ts";
import { AdSlot } from "#ads/web/ad-slot.tsx";
import { canHavePreroll, useVideoAds } from "#ads/web/use-video-ads.ts";
import { Player } from "#web/features/player/components/player.tsx";
import type * as locked from "#web/features/members/locked-video.tsx";
import { useMemberVideo } from "#web/features/members/use-member-video.ts";
import { playerFirstVideo } from "#web/features/player/media-element.ts";
import { AboutVideo } from "./components/about-video.tsx";
import { usePlaylist } from "./hooks/use-playlist.tsx";
import type { RenderedTranscript } from "#web/features/transcript/render-transcript.tsx";
import {
  loadRelated,
  loadTranscript,
  loadWatchable,
  type ServerOnly,
  type WatchableVideo,
} from "./load-video.ts";
import "./video-page.css";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { DurationPill, Why } from "#web/components/video/card-notes.tsx";
import { useHoverPreview } from "#web/components/video/hover-preview.tsx";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";
import { counted } from "#web/lib/format/format.ts";

const messages = inLanguage("video");
const formatTexts = inLanguage("format");

function RelatedVideo({ video }: { video: CardVideo }) {
  const { clip, pointer } = useHoverPreview(video.isSensitive === true ? null : video.previewUrl);
  return (
    <a href={pagePath(videoHref(video.slug))} className="group flex gap-3 rounded-md" {...pointer}>
      <span className="related-picture">
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

function RelatedVideos({ videos }: { videos: readonly CardVideo[] }) {
  return (
    <section aria-label={messages.related}>
      <h2 className="mb-4 text-base font-semibold">{messages.related}</h2>
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

/** Loaded for a locked video only, before its page is rendered. */
let lockedParts: typeof locked | undefined;

/** Loads the parts that only some videos need: those of a series and of a locked video. */
async function prepare(watchable?: WatchableVideo): Promise<void> {
  if (watchable?.video.isLocked === true) {
    lockedParts ??= await import("#web/features/members/locked-video.tsx");
  }
  // The error page links to the series in the URL.
  if (watchable === undefined || watchable.video.series !== undefined) await loadSeriesParts();
}

interface VideoPageData extends WatchableVideo {
  related: CardVideo[];
  transcript: ServerOnly<RenderedTranscript | null> | undefined;
}

export async function loader(args: LoaderFunctionArgs): Promise<VideoPageData> {
  const url = new URL(args.request.url);
  const series = url.searchParams.has("in") ? await loadSeriesParts() : null;
  const [watchable, related] = await Promise.all([loadWatchable(args), loadRelated(args)]);
  await prepare(watchable);
  await series?.settleSeries(args.context.get(pageApiContext), watchable.video, url);
  return { ...watchable, related, transcript: await loadTranscript(args, watchable.video) };
}

export const handle = pageHandle<VideoPageData>({
  query: ["in"],
  prepare,
  allowsTrustedAds: true,
  unknownTitle: () => messages.notFound,
  head: async (input) => (await import("./video-head.ts")).videoHead(input),
  // The pre-roll plays first.
  firstVideo: ({ data: { video }, site }) =>
    canHavePreroll(site) ? null : playerFirstVideo(video),
});

/** Slugs of the videos that were opened in this document, the latest last. */
const opened: string[] = [];

const loadNext = async () =>
  (await import("#web/features/player/components/player-screen.tsx")).loadNext();
const loadClips = async () => (await import("#web/features/clips/video-clips.tsx")).VideoClips;

export function Component() {
  const { video: loaded, related, transcript } = useLoaderData<VideoPageData>();
  const video = useMemberVideo(loaded);
  const videoAds = useVideoAds();
  const playlist = usePlaylist(video.slug);
  const { search } = useLocation();
  const series = findSeriesParts();
  // The nearest neighbors of a video often point back to it.
  const [first] = related.toSorted(
    (a, b) => opened.lastIndexOf(a.slug) - opened.lastIndexOf(b.slug),
  );
  useEffect(() => void opened.push(video.slug), [video.slug]);
  const hasClips = video.hasClips ?? video.clipOf !== undefined;
  const { Lazy: Clips } = useLazyComponent(loadClips, hasClips);
  const next =
    playlist.next ??
    series?.nextPart(video, search) ??
    (first && { ...first, href: videoHref(first.slug) });
  const labels = {
    categories: video.categories.map(({ category }) => category.slug),
    tags: video.tags.map(({ tag }) => tag.slug),
  };

  return (
    <div className="sm:pt-5">
      <div className="video-page">
        <AdSlot placement="header" {...labels} />
        <article className="contents">
          <div className="video-page-player">
            {video.isLocked === true && lockedParts !== undefined ? (
              <lockedParts.LockedVideo video={video} />
            ) : (
              <Player video={video} {...videoAds} autoPlay hasTheatre next={next} />
            )}
          </div>
          <div className="video-page-about">
            <AboutVideo key={video.slug} video={video} transcriptHtml={transcript?.value?.html}>
              {series === null ? null : <series.SeriesNav video={video} search={search} />}
            </AboutVideo>
          </div>
        </article>
        {playlist.bar}
        <aside className="video-page-aside space-y-8">
          <AdSlot placement="sidebar" {...labels} />
          {hasClips && Clips !== null ? <Clips video={video} /> : null}
          <RelatedVideos videos={related} />
        </aside>
      </div>
    </div>
  );
}

export function ErrorBoundary() {
  const isUnknown = statusOf(useRouteError()) === 404;
  const revalidator = useRevalidator();
  const { bar, next } = usePlaylist(useParams().slug ?? "");
  const isSkipped = isUnknown && next !== null;
  const { Lazy: NextOverlay } = useLazyComponent(loadNext, isSkipped);
  const series = findSeriesParts();
  return (
    <section className="video-error">
      <h1>{isUnknown ? messages.notFound : messages.loadFailed}</h1>
      <p>{isUnknown ? messages.notFoundText : messages.loadFailedText}</p>
      <div className="video-error-links">
        {isUnknown ? null : (
          <Button
            kind="primary"
            disabled={revalidator.state === "loading"}
            onClick={() => void revalidator.revalidate()}
          >
            {messages.tryAgain}
          </Button>
        )}
        <a href={pagePath("/home")} className={buttonClass({ kind: "quiet" })}>
          {messages.browse}
        </a>
        {series === null ? null : <series.SeriesLink />}
      </div>
      {isSkipped && NextOverlay !== null ? (
        <div className="player empty:hidden">
          <NextOverlay next={next} />
        </div>
      ) : null}
      {bar}
    </section>
  );
}

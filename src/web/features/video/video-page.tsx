import {
  useLoaderData,
  useRevalidator,
  useRouteError,
  type LoaderFunctionArgs,
} from "react-router";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { statusOf } from "#web/lib/page/failure.ts";
import { pageHandle } from "#web/lib/page/page-route.ts";
import { videoHref, type CardVideo } from "#web/lib/lists/card-video.ts";
import { AdSlot } from "#ads/web/ad-slot.tsx";
import { canHavePreroll, useVideoAds } from "#ads/web/use-video-ads.ts";
import { Player } from "#web/features/player/components/player.tsx";
import { playerFirstVideo } from "#web/features/player/media-element.ts";
import { AboutVideo } from "./components/about-video.tsx";
import { RelatedVideos } from "./components/related-videos.tsx";
import { usePlaylist } from "./components/playlist-bar.tsx";
import { loadRelated, loadWatchable, type WatchableVideo } from "./load-video.ts";
import { videoPageMessages as messages } from "./messages.ts";
import "./video-page.css";
import { pagePath } from "#web/lib/language/page-language.ts";

interface VideoPageData extends WatchableVideo {
  related: CardVideo[];
}

export async function loader(args: LoaderFunctionArgs): Promise<VideoPageData> {
  const [watchable, related] = await Promise.all([loadWatchable(args), loadRelated(args)]);
  return { ...watchable, related };
}

export const handle = pageHandle<VideoPageData>({
  query: [],
  allowsTrustedAds: true,
  unknownTitle: () => messages.notFound,
  head: async (input) => (await import("./video-head.ts")).videoHead(input),
  // The pre-roll plays first.
  firstVideo: ({ data: { video }, site }) =>
    canHavePreroll(site) ? null : playerFirstVideo(video),
});

export function Component() {
  const { video, related } = useLoaderData<VideoPageData>();
  const videoAds = useVideoAds();
  const playlist = usePlaylist(video.slug);
  const [first] = related;
  const next =
    playlist.next ?? (first === undefined ? null : { ...first, href: videoHref(first.slug) });
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
            <Player video={video} {...videoAds} autoPlay hasTheatre next={next} />
          </div>
          <div className="video-page-about">
            <AboutVideo key={video.slug} video={video} />
          </div>
        </article>
        {playlist.bar}
        <aside className="video-page-aside space-y-8">
          <AdSlot placement="sidebar" {...labels} />
          <RelatedVideos videos={related} />
        </aside>
      </div>
    </div>
  );
}

export function ErrorBoundary() {
  const isUnknown = statusOf(useRouteError()) === 404;
  const revalidator = useRevalidator();
  return (
    <section className="mx-auto flex min-h-[60vh] max-w-lg flex-col items-center justify-center gap-4 text-center text-balance">
      <h1 className="text-xl font-semibold tracking-tight">
        {isUnknown ? messages.notFound : messages.loadFailed}
      </h1>
      <p className="text-ink-11">{isUnknown ? messages.notFoundText : messages.loadFailedText}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
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
      </div>
    </section>
  );
}

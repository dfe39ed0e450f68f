import { useEffect, useRef, useState } from "react";
import { useLoaderData, useRouteError, type LoaderFunctionArgs } from "react-router";
import { SiteMark } from "#web/components/ui/wordmark.tsx";
import { embeddersOf } from "#contract/site/embedding.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { pageHandle, statusOf } from "#web/lib/page/page-route.ts";
import { useSite } from "#web/lib/page/site.ts";
import { Player } from "#web/features/player/components/player.tsx";
import { useVideoAds } from "#ads/web/use-video-ads.ts";
import { embedPlayer, readEmbedOptions } from "./embed-player.ts";
import { loadWatchable, type WatchableVideo } from "./load-video.ts";

const messages = inLanguage("video");
const memberTexts = inLanguage("members");

export function loader(args: LoaderFunctionArgs): Promise<WatchableVideo> {
  return loadWatchable(args);
}

export const handle = pageHandle<WatchableVideo>({
  query: [],
  unknownTitle: () => messages.notFound,
  layout: "bare",
  head: async ({ data, site }) => {
    const { headOfVideo } = await import("#web/lib/page/head-of-video.ts");
    const { title, description, canonical, links } = headOfVideo(data.video, site);
    // Search engines index the video page instead.
    const meta = [{ name: "robots", content: "noindex" }];
    return { title, description, canonical, links, meta };
  },
});

/** Page with only the player, for frames on other sites. */
export function Component() {
  const { video } = useLoaderData<WatchableVideo>();
  const { settings } = useSite();
  const embedders = embeddersOf(settings.embedding, video.embedding);
  const isElsewhere = embedders === "nobody" || video.isLocked === true;
  return isElsewhere ? <Elsewhere video={video} /> : <Embed video={video} />;
}

/** Says where to watch a video that other sites may not show, or that is for members. */
function Elsewhere({ video }: WatchableVideo) {
  const site = useSite();
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-3 bg-video p-6 text-center text-paper">
      <h1 className="text-lg font-semibold">
        <bdi>{video.title}</bdi>
      </h1>
      {video.isLocked === true ? (
        <p className="max-w-prose whitespace-pre-line">
          {site.settings.membersText ?? memberTexts.text}
        </p>
      ) : null}
      <a
        href={site.url + pagePath(videoHref(video.slug))}
        target="_blank"
        rel="noopener"
        className="underline"
      >
        {messages.watchOn(site.name)}
      </a>
    </main>
  );
}

function Embed({ video }: WatchableVideo) {
  const site = useSite();
  // The page is the same for all parameters, so that caches store it once.
  const [options] = useState(() => readEmbedOptions(import.meta.env.SSR ? "" : location.search));
  const [build] = useState(() => embedPlayer(options));
  const { ads } = useVideoAds();
  // A sandboxed frame can't call the site, so ads can't be counted there.
  const [hasOrigin] = useState(() => import.meta.env.SSR || window.origin !== "null");
  const hasAds = site.settings.adsInEmbeds === true && hasOrigin;
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    root.current?.toggleAttribute("data-no-controls", !options.hasControls);
  }, [options]);
  return (
    <main ref={root} className="embed">
      <h1 className="sr-only">{video.title}</h1>
      <Player video={video} ads={hasAds ? ads : null} autoPlay={false} build={build} />
      <a
        href={site.url + pagePath(videoHref(video.slug))}
        target="_blank"
        rel="noopener"
        className="embed-link"
        title={messages.watchOn(site.name)}
      >
        <SiteMark
          logoUrl={site.settings.logoUrl}
          className="h-5 max-w-24 shrink-0 object-contain"
        />
        <bdi className="truncate">{video.title}</bdi>
      </a>
    </main>
  );
}

export function ErrorBoundary() {
  const isUnknown = statusOf(useRouteError()) === 404;
  return (
    <main className="flex min-h-dvh items-center justify-center bg-video p-6 text-center text-paper">
      <h1 className="text-lg font-semibold">
        {isUnknown ? messages.notFound : messages.loadFailed}
      </h1>
    </main>
  );
}

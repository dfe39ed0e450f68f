import { data, useLocation, type LoaderFunctionArgs } from "react-router";
import { pageHandle, pageApiContext, usePageData, statusOf } from "#web/lib/page/page-route.ts";
import { Feed } from "./components/feed.tsx";
import { clipFirstVideo } from "./core/clip-element.ts";
import { savedFeeds } from "./core/saved-feeds.ts";
import { steeringQuery } from "./core/steering.ts";
import type { FeedPageData } from "./feed-head.ts";
import "./feed.css";

const failed: FeedPageData = { videos: [], nextCursor: null, hasFailed: true, clip: null };

/** Returns the first clips. The browser fetches the next ones for its visitor. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  const slug = params.slug ?? null;
  try {
    const { videos, nextCursor } = await context
      .get(pageApiContext)
      .feedHead(slug, steeringQuery());
    const clip = slug === null ? null : (videos[0] ?? null);
    return data<FeedPageData>({ videos, nextCursor, hasFailed: false, clip });
  } catch (error) {
    const status = statusOf(error);
    // The clip doesn't exist or is blocked in this country.
    if (slug !== null && (status === 404 || status === 451)) throw data(null, { status: 404 });
    // The feed shows the failure and retries.
    console.warn("couldn't load the feed", error);
    return data<FeedPageData>(failed, { status: status ?? 503 });
  }
}

export const handle = pageHandle<FeedPageData>({
  query: [],
  allowsTrustedAds: true,
  layout: "immersive",
  firstVideo: ({ data: { videos } }) => {
    const src = videos[0]?.videoUrl ?? null;
    return src === null ? null : clipFirstVideo(src);
  },
  head: async (input) => (await import("./feed-head.ts")).feedHead(input),
});

export function Component() {
  const head = usePageData<FeedPageData>();
  const { key } = useLocation();
  // A new visit starts a new feed. Back restores the feed that the visitor left.
  return <Feed key={key} head={head} snapshot={savedFeeds.find(key)} historyKey={key} />;
}

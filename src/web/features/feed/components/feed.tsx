import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import type { PublicAdList } from "#ads/contract/ads.ts";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { KinoraMark } from "#web/components/ui/wordmark.tsx";
import { useSite } from "#web/lib/page/site.ts";
import { popupHost } from "#ads/web/popup-host.ts";
import { preferences } from "#web/features/player/core/browser-player.ts";
import { commentMessages } from "#web/features/comments/messages.ts";
import type { Player } from "#web/features/player/core/player.ts";
import { fetchFeed } from "../api/fetch-feed.ts";
import { createFeedStore, type FeedHead, type FeedSnapshot } from "../core/feed-store.ts";
import { savedFeeds } from "../core/page-feeds.ts";
import { createFeedSound } from "../core/sound.ts";
import { endOf, entryAt, numberOf, type FeedEntry } from "../core/timeline.ts";
import { useClipAddress } from "../hooks/use-clip-address.ts";
import { useClipHistory } from "../hooks/use-clip-history.ts";
import { useFeedKeys } from "../hooks/use-feed-keys.ts";
import { useHasPanels } from "../hooks/use-has-panels.ts";
import { useLike } from "../hooks/use-like.ts";
import { useLoadLevels } from "../hooks/use-load-levels.ts";
import { useMediaKeys } from "../hooks/use-media-keys.ts";
import { useSnapScroller } from "../hooks/use-snap-scroller.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { useStore } from "#web/lib/use-store.ts";
import { feedMessages as messages } from "../messages.ts";
import { FeedDetails } from "./feed-info.tsx";
import { FeedItem } from "./feed-item.tsx";
import { MoveButtons } from "./feed-panels.tsx";
import { FeedRail } from "./feed-rail.tsx";
import { FeedEmpty, FeedFailed, FeedFailedBar, FeedLoading } from "./feed-states.tsx";
import { pagePath } from "#web/lib/language/page-language.ts";

interface FeedProps {
  head: FeedHead;
  /** Feed that this history entry showed before. */
  snapshot: FeedSnapshot | null;
  historyKey: string;
}

/** A site without ads never loads this module. */
const loadFeedAds = () => import("#ads/web/fetch-feed-ads.ts");

async function fetchAds(signal: AbortSignal): Promise<PublicAdList> {
  const { fetchFeedAds } = await loadFeedAds();
  return fetchFeedAds(signal);
}

const loadNextPanel = async () => (await import("./next-panel.tsx")).NextPanel;
const loadComments = async () => {
  const { VideoComments } = await import("#web/features/comments/video-comments.tsx");
  return VideoComments;
};

const slots = [0, 1, 2] as const;
const slotOf = (place: number) => ((place % 3) + 3) % 3;
const takePopups = (element: HTMLElement | null) => popupHost.commit({ element });
const videoOf = (entry: FeedEntry | null) => (entry?.kind === "video" ? entry.video : null);

/** Vertical feed: one item on the screen and one rendered neighbor on each side. */
export function Feed({ head, snapshot, historyKey }: FeedProps) {
  const [store] = useState(() => createFeedStore(snapshot ?? head, { fetchFeed, fetchAds }));
  const [sound] = useState(createFeedSound);
  const timeline = useStore(store.store, (state) => state.timeline);
  const place = useStore(store.store, (state) => state.place);
  const direction = useStore(store.store, (state) => state.direction);
  const loading = useStore(store.store, (state) => state.loading);
  const hasPanels = useHasPanels();
  const isEmpty = useStore(store.store, (state) => state.isEmpty);
  const [isLive, setLive] = useState(false);
  const { Lazy: NextPanel } = useLazyComponent(loadNextPanel, isLive && hasPanels);
  const { Lazy: VideoComments } = useLazyComponent(loadComments, isLive && hasPanels);
  const [players, setPlayers] = useState<readonly (Player | null)[]>([null, null, null]);
  const scroller = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const site = useSite();
  const hasFeedAds =
    site.adSlots === null || site.adSlots.some(({ placement }) => placement === "feed");
  const entry = entryAt(timeline, place);
  const video = videoOf(entry);
  const like = useLike(video, store.patch);

  useEffect(() => {
    const first = videoOf(entryAt(store.store.get().timeline, 0));
    const around = snapshot === null && first !== null ? savedFeeds.findAround(first.slug) : null;
    // A reload restores a clip with its own address. The front page starts a new feed.
    if (around !== null && window.location.pathname !== "/") store.restore(around);
    sound.start(preferences, document);
    store.start({ hasAds: hasFeedAds });
    // Preloads the script of ads. If this fails, the first ad reports the failure.
    if (hasFeedAds) loadFeedAds().catch(() => {});
    setLive(true);
    const save = () => savedFeeds.save(historyKey, store.snapshot());
    window.addEventListener("pagehide", save);
    return () => {
      window.removeEventListener("pagehide", save);
      save();
      sound.stop();
      store.dispose();
    };
    // All of these live as long as the feed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [store, sound]);

  const scroll = useSnapScroller(scroller, store, isLive);
  useLayoutEffect(
    () => scroll.current?.align(store.store.get().place),
    [timeline.firstPlace, scroll, store],
  );
  useClipAddress(video, isLive && entry !== null);
  useClipHistory(video, isLive);

  const playerAt = (at: number) => players[slotOf(at)] ?? null;
  const loadLevelOf = useLoadLevels({ place, direction, playerAt, isAd: entry?.kind === "ad" });
  const onPlayer = useMemo(
    () =>
      slots.map((slot) => (player: Player | null) => {
        setPlayers((before) => before.map((old, index) => (index === slot ? player : old)));
      }),
    [],
  );

  const move = useCallback((way: 1 | -1) => scroll.current?.moveBy(way), [scroll]);
  const steer = async (isUnwanted: boolean) => {
    const hasNext = await store.refresh();
    if (isUnwanted && hasNext) move(1);
  };
  const active = playerAt(place);
  useFeedKeys({
    move,
    togglePlay: () => active?.toggle(),
    toggleSound: () => sound.setMuted(!sound.store.get().isMuted),
    seekBy: (seconds) => active?.seekBy(seconds),
    like: like.press,
    toggleCaptions: () => active?.toggleCaptions(),
  });
  useMediaKeys(active, video, site.name, move);

  const places = isLive ? [place - 1, place, place + 1] : [place];
  const next = [1, 2, 3].flatMap((step) => {
    const at = entryAt(timeline, place + step);
    return at === null || !isLive ? [] : [{ place: place + step, entry: at }];
  });
  /** For visitors without scripts, who only see the first clip. */
  const following = isLive ? null : videoOf(entryAt(timeline, place + 1));
  const number = numberOf(timeline, place);
  const announcement =
    entry === null || !isLive
      ? ""
      : entry.kind === "ad"
        ? messages.ad(entry.ad.title, number)
        : messages.item(entry.video.title, number);

  return (
    <div className="feed">
      <h1 className="sr-only">{messages.heading}</h1>
      <aside className="feed-panel feed-panel-details" aria-label={messages.details}>
        {video === null ? null : <FeedDetails video={video} />}
        {video === null || !hasPanels || VideoComments === null ? null : (
          <VideoComments key={video.slug} slug={video.slug} title={commentMessages.title} />
        )}
      </aside>
      <div className="feed-frame">
        <div ref={scroller} tabIndex={-1} className="feed-scroller no-scrollbar">
          <div
            className="feed-track"
            style={{ height: `calc(${timeline.entries.length || 1} * 100cqh)` }}
          >
            <div ref={takePopups} className="feed-popups" />
            {/* Popups are not items of the feed. */}
            <div
              className="contents"
              {...(timeline.entries.length === 0
                ? {}
                : { role: "feed", "aria-label": messages.feed, "aria-busy": loading === "busy" })}
            >
              {places
                .toSorted((a, b) => slotOf(a) - slotOf(b))
                .map((at) => (
                  <FeedItem
                    key={slotOf(at)}
                    entry={entryAt(timeline, at)}
                    place={at}
                    offset={at - timeline.firstPlace}
                    number={numberOf(timeline, at)}
                    isActive={at === place}
                    isFirst={snapshot === null && !isLive}
                    loadLevel={loadLevelOf(at)}
                    sound={sound}
                    titleId={`${titleId}-${slotOf(at)}`}
                    onPlayer={onPlayer[slotOf(at)] ?? (() => undefined)}
                    onLike={() => {
                      // A double tap never withdraws a like.
                      if (video?.isLiked === false) like.press();
                    }}
                    onAdStop={store.dropAd}
                    onAdDone={() => {
                      if (store.store.get().place === at) move(1);
                    }}
                    rail={
                      <ItemRail
                        video={videoOf(entryAt(timeline, at))}
                        isActive={at === place}
                        render={(clip) => (
                          <FeedRail
                            video={clip}
                            like={like}
                            sound={sound}
                            player={playerAt(at)}
                            onPatch={store.patch}
                            onSteer={(isUnwanted) => void steer(isUnwanted)}
                          />
                        )}
                      />
                    }
                  />
                ))}
            </div>
          </div>
          {timeline.entries.length > 0 ? null : loading === "failed" ? (
            <FeedFailed onRetry={store.retry} />
          ) : isEmpty ? (
            <FeedEmpty />
          ) : (
            <FeedLoading />
          )}
        </div>
        {loading === "failed" && entry !== null && place >= endOf(timeline) - 1 ? (
          <FeedFailedBar onRetry={store.retry} />
        ) : null}
        {following === null ? null : (
          <noscript>
            <a className="feed-next-link" href={pagePath(`/feed/${following.slug}`)}>
              {messages.next}
            </a>
          </noscript>
        )}
        <p className="feed-label">
          <KinoraMark className="size-4.5" />
          <bdi>{site.name}</bdi>
        </p>
      </div>
      <div className="feed-side">
        <MoveButtons
          canGoBack={place > timeline.firstPlace}
          canGoForward={place < endOf(timeline) - 1}
          onMove={move}
        />
        {video === null ? null : (
          <div className="feed-side-rail">
            <FeedRail
              video={video}
              like={like}
              sound={sound}
              player={active}
              onPatch={store.patch}
              onSteer={(isUnwanted) => void steer(isUnwanted)}
            />
          </div>
        )}
      </div>
      {hasPanels && NextPanel !== null ? (
        <NextPanel next={next} onGo={(at) => scroll.current?.moveTo(at)} />
      ) : null}
      <p className="sr-only" aria-live="polite" aria-atomic="true">
        {announcement}
      </p>
    </div>
  );
}

/** The rail of a neighbor is visible while it moves in, but not focusable before it is active. */
function ItemRail(props: {
  video: FeedVideo | null;
  isActive: boolean;
  render: (video: FeedVideo) => ReactNode;
}) {
  if (props.video === null) return null;
  return (
    <div className="feed-item-rail" inert={!props.isActive}>
      {props.render(props.video)}
    </div>
  );
}

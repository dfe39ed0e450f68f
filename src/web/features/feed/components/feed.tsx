import { ChevronDownIcon, ChevronUpIcon } from "lucide-react";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { SiteMark } from "#web/components/ui/wordmark.tsx";
import { useSite } from "#web/lib/page/site.ts";
import type { FeedAdHandle } from "#ads/web/feed-ad.tsx";
import { popupHost } from "#ads/web/popup-host.ts";
import type { Player } from "#web/features/player/core/player.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { useStore } from "#web/lib/store.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import type { FeedHead, FeedSnapshot } from "../core/feed-store.ts";
import {
  endOf,
  entryAt,
  numberOf,
  videoOf,
  type FeedEntry,
  type Timeline,
} from "../core/timeline.ts";
import {
  useClipAddress,
  useClipHistory,
  useLike,
  useMediaKeys,
} from "../hooks/use-current-clip.ts";
import { useFeedKeys } from "../hooks/use-feed-keys.ts";
import { useFeedLife, useSnapScroller } from "../hooks/use-feed-life.ts";
import { slotOf, useFeedPlayers, useLoadLevels } from "../hooks/use-feed-players.ts";
import { useHasPanels } from "../hooks/use-has-panels.ts";
import { FeedDetails } from "./feed-info.tsx";
import { FeedItem } from "./feed-item.tsx";
import "./feed-panels.css";
import { FeedRail } from "./feed-rail.tsx";
import { FeedFailedBar, FeedPlaceholder } from "./feed-states.tsx";

const messages = inLanguage("feed");
const layoutTexts = inLanguage("layout");

interface FeedProps {
  head: FeedHead;
  /** Feed that this history entry showed before. */
  snapshot: FeedSnapshot | null;
  historyKey: string;
}

const takePopups = (element: HTMLElement | null) => popupHost.commit({ element });
const loadNextPanel = async () => (await import("./next-panel.tsx")).NextPanel;
const loadComments = async () => {
  const { VideoComments } = await import("#web/features/comments/video-comments.tsx");
  return VideoComments;
};

/** Vertical feed. Shows one item and renders one neighbor on each side. */
export function Feed({ head, snapshot, historyKey }: FeedProps) {
  const site = useSite();
  const hasAds =
    site.adSlots === null || site.adSlots.some(({ placement }) => placement === "feed");
  const { store, sound, isLive } = useFeedLife({ head, snapshot, historyKey, hasAds });
  const timeline = useStore(store.store, (state) => state.timeline);
  const place = useStore(store.store, (state) => state.place);
  const direction = useStore(store.store, (state) => state.direction);
  const loading = useStore(store.store, (state) => state.loading);
  const isEmpty = useStore(store.store, (state) => state.isEmpty);
  const hasPanels = useHasPanels();
  const { Lazy: NextPanel } = useLazyComponent(loadNextPanel, isLive && hasPanels);
  const entry = entryAt(timeline, place);
  const video = videoOf(entry);
  const like = useLike(video, store.patch);

  const scroller = useRef<HTMLDivElement>(null);
  const { scroll, move } = useSnapScroller(scroller, store, isLive);
  useLayoutEffect(
    () => scroll.current?.align(store.store.get().place),
    [timeline.firstPlace, scroll, store],
  );
  useClipAddress(video, isLive && entry !== null);
  useClipHistory(video, isLive);

  const { playerAt, onPlayer } = useFeedPlayers();
  const loadLevelOf = useLoadLevels({ place, direction, playerAt, isAd: entry?.kind === "ad" });
  const steer = async (isUnwanted: boolean) => {
    const hasNext = await store.refresh();
    if (isUnwanted && hasNext) move(1);
  };
  const active = playerAt(place);
  const activeAd = useRef<FeedAdHandle>(null);
  useFeedKeys({
    move,
    togglePlay: () => (entry?.kind === "ad" ? activeAd.current?.togglePlay() : active?.toggle()),
    toggleSound: () => sound.setMuted(!sound.store.get().isMuted),
    seekBy: (seconds) => active?.seekBy(seconds),
    like: like.press,
    toggleCaptions: () => active?.toggleCaptions(),
  });
  useMediaKeys(active, video, site.name, move);

  const rail = (clip: FeedVideo, player: Player | null) => (
    <FeedRail
      video={clip}
      like={like}
      sound={sound}
      player={player}
      onPatch={store.patch}
      onSteer={(isUnwanted) => void steer(isUnwanted)}
    />
  );
  return (
    <div className="feed">
      <h1 className="sr-only">{messages.heading}</h1>
      <DetailsPanel video={video} hasComments={isLive && hasPanels} />
      <div className="feed-frame">
        <div ref={scroller} tabIndex={-1} className="feed-scroller no-scrollbar">
          <FeedTrack timeline={timeline} isBusy={loading === "busy"}>
            {(isLive ? [place - 1, place, place + 1] : [place])
              .toSorted((a, b) => slotOf(a) - slotOf(b))
              .map((itemPlace) => (
                <FeedItem
                  key={slotOf(itemPlace)}
                  entry={entryAt(timeline, itemPlace)}
                  offset={itemPlace - timeline.firstPlace}
                  number={numberOf(timeline, itemPlace)}
                  isActive={itemPlace === place}
                  isFirst={snapshot === null && !isLive}
                  loadLevel={loadLevelOf(itemPlace)}
                  sound={sound}
                  onPlayer={onPlayer(itemPlace)}
                  adRef={itemPlace === place ? activeAd : undefined}
                  onLike={() => {
                    // A double tap never withdraws a like.
                    if (video?.isLiked === false) like.press();
                  }}
                  onAdStop={store.dropAd}
                  onPatch={store.patch}
                  onAdDone={() => {
                    if (store.store.get().place === itemPlace) move(1);
                  }}
                  rail={(clip) => rail(clip, playerAt(itemPlace))}
                />
              ))}
          </FeedTrack>
          {timeline.entries.length > 0 ? null : (
            <FeedPlaceholder isEmpty={isEmpty} loading={loading} onRetry={store.retry} />
          )}
        </div>
        {loading === "failed" && entry !== null && place >= endOf(timeline) - 1 ? (
          <FeedFailedBar onRetry={store.retry} />
        ) : null}
        {isLive ? null : <NextLink video={videoOf(entryAt(timeline, place + 1))} />}
        <p className="feed-label">
          <SiteMark logoUrl={site.settings.logoUrl} className="h-4.5 max-w-24 object-contain" />
          <bdi>{site.name}</bdi>
        </p>
        {/* Wide screens have the navigation bar. */}
        <nav className="feed-places" aria-label={layoutTexts.mainNavigation}>
          <a href={pagePath("/home")}>{layoutTexts.home}</a>
          <a href={pagePath("/trending")}>{layoutTexts.trending}</a>
        </nav>
      </div>
      <div className="feed-side">
        <MoveButtons
          canGoBack={place > timeline.firstPlace}
          canGoForward={place < endOf(timeline) - 1}
          onMove={move}
        />
        {video === null ? null : <div className="feed-side-rail">{rail(video, active)}</div>}
      </div>
      {hasPanels && NextPanel !== null ? (
        <NextPanel
          next={entriesAfter(timeline, place)}
          onGo={(itemPlace) => scroll.current?.moveTo(itemPlace)}
        />
      ) : null}
      <p className="sr-only" aria-live="polite" aria-atomic="true">
        {isLive ? announcement(entry, numberOf(timeline, place)) : null}
      </p>
    </div>
  );
}

/** Description and comments of the current clip. Not shown on phones. */
function DetailsPanel({ video, hasComments }: { video: FeedVideo | null; hasComments: boolean }) {
  const { Lazy: VideoComments } = useLazyComponent(loadComments, hasComments);
  return (
    <aside className="feed-panel feed-panel-details" aria-label={messages.details}>
      {video === null ? null : <FeedDetails video={video} />}
      {video === null || !hasComments || VideoComments === null ? null : (
        <VideoComments key={video.slug} slug={video.slug} title={messages.comments} />
      )}
    </aside>
  );
}

/** Link for visitors without scripts, who otherwise only see the first clip. */
function NextLink({ video }: { video: FeedVideo | null }) {
  if (video === null) return null;
  return (
    <noscript>
      <a className="feed-next-link" href={pagePath(`/feed/${video.slug}`)}>
        {messages.next}
      </a>
    </noscript>
  );
}

/** Area that is as tall as all items, with ad popups above it. */
function FeedTrack(props: { timeline: Timeline; isBusy: boolean; children: ReactNode }) {
  const { length } = props.timeline.entries;
  const feedRole = { role: "feed", "aria-label": messages.feed, "aria-busy": props.isBusy };
  return (
    <div className="feed-track" style={{ height: `calc(${length || 1} * 100cqh)` }}>
      <div ref={takePopups} className="feed-popups" />
      {/* Popups are not items of the feed. */}
      <div className="contents" {...(length === 0 ? {} : feedRole)}>
        {props.children}
      </div>
    </div>
  );
}

/** Returns up to three of the next items that have been loaded. */
function entriesAfter(timeline: Timeline, place: number) {
  return [1, 2, 3].flatMap((step) => {
    const entry = entryAt(timeline, place + step);
    return entry === null ? [] : [{ place: place + step, entry }];
  });
}

function announcement(entry: FeedEntry | null, number: number): string {
  if (entry === null) return "";
  return entry.kind === "ad"
    ? messages.ad(entry.ad.title, number)
    : messages.item(entry.video.title, number);
}

interface MoveButtonsProps {
  canGoBack: boolean;
  canGoForward: boolean;
  onMove: (direction: 1 | -1) => void;
}

function MoveButtons({ canGoBack, canGoForward, onMove }: MoveButtonsProps) {
  return (
    <div className="feed-moves">
      <button
        type="button"
        aria-label={messages.previous}
        disabled={!canGoBack}
        onClick={() => onMove(-1)}
      >
        <ChevronUpIcon className="size-6" />
      </button>
      <button
        type="button"
        aria-label={messages.next}
        disabled={!canGoForward}
        onClick={() => onMove(1)}
      >
        <ChevronDownIcon className="size-6" />
      </button>
    </div>
  );
}

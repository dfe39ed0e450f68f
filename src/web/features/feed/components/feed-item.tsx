import { useId, type CSSProperties, type ReactNode, type Ref } from "react";
import type { FeedAdHandle } from "#ads/web/feed-ad.tsx";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { hasPass } from "#web/features/members/has-pass.ts";
import type { Player } from "#web/features/player/core/player.ts";
import type { PublicAd } from "#ads/contract/ads.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { useStore } from "#web/lib/store.ts";
import type { FeedSound } from "../core/sound.ts";
import { videoOf, type FeedEntry } from "../core/timeline.ts";
import type { LoadLevel } from "../hooks/use-feed-players.ts";
import { FeedClip } from "./feed-clip.tsx";
import { FeedInfo } from "./feed-info.tsx";

interface FeedItemProps {
  /** Null if there is nothing to show yet, at the ends of the feed. */
  entry: FeedEntry | null;
  /** Distance from the first place. */
  offset: number;
  /** Position announced to screen readers, counted from 1. */
  number: number;
  isActive: boolean;
  isFirst: boolean;
  loadLevel: LoadLevel;
  sound: FeedSound;
  onPlayer: (player: Player | null) => void;
  /** Receives the controls of a sponsored video. */
  adRef: Ref<FeedAdHandle> | undefined;
  /** Called on a double tap on the clip. */
  onLike: () => void;
  /** Called when a sponsored video has ended. */
  onAdDone: () => void;
  onAdStop: (adId: string) => void;
  /** Changes a clip that a pass has opened or locked. */
  onPatch: (id: string, patch: Partial<FeedVideo>) => void;
  rail: (video: FeedVideo) => ReactNode;
}

/** Loaded once a neighbor is a clip for members. */
const loadMemberClip = async () =>
  (await import("#web/features/members/member-clip.tsx")).MemberClip;

/** Loaded once a neighbor is a clip of a longer video. */
const loadWholeVideo = async () => (await import("#web/features/clips/whole-video.tsx")).WholeVideo;

/** Ref of the active item. Takes the focus from the item that was active before. */
function followFocus(item: HTMLElement | null): void {
  const hasLeftFocus = document.activeElement?.closest(".feed-item:not([data-active])");
  if (hasLeftFocus) item?.focus({ preventScroll: true });
}

/** One of the three mounted items. Each fills a screen of the feed with a video or an ad. */
export function FeedItem(props: FeedItemProps) {
  const { entry, offset, isActive, isFirst, loadLevel, sound, onPlayer, rail } = props;
  const titleId = useId();
  const video = videoOf(entry);
  const tabIndex = isActive ? 0 : -1;
  const { Lazy: MemberClip } = useLazyComponent(
    loadMemberClip,
    video?.isPremium === true && (video.isLocked === true || hasPass()),
  );
  const { Lazy: WholeVideo } = useLazyComponent(loadWholeVideo, video?.clipOf !== undefined);
  return (
    // WAI-ARIA feed pattern: the item itself takes the focus, and page keys move between items.
    <article
      ref={isActive ? followFocus : undefined}
      aria-labelledby={titleId}
      aria-posinset={props.number}
      aria-setsize={-1}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={tabIndex}
      data-active={isActive || undefined}
      data-kind={entry?.kind}
      data-slug={video?.slug}
      hidden={entry === null}
      className="feed-item"
      style={{ "--offset": offset } as CSSProperties}
    >
      <FeedClip
        video={video}
        isActive={isActive && video !== null}
        loadLevel={loadLevel}
        isFirst={isFirst}
        sound={sound}
        onPlayer={onPlayer}
        onLike={props.onLike}
      >
        {video?.isPremium === true && MemberClip !== null ? (
          <MemberClip video={video} isActive={isActive} onPatch={props.onPatch} />
        ) : null}
        {video?.clipOf !== undefined && WholeVideo !== null ? (
          <WholeVideo video={video} className="whole-video-in-feed" tabIndex={tabIndex} />
        ) : null}
        {video === null ? null : <FeedInfo video={video} titleId={titleId} tabIndex={tabIndex} />}
      </FeedClip>
      {entry?.kind === "ad" ? (
        <SponsoredItem
          key={entry.key}
          adRef={props.adRef}
          ad={entry.ad}
          serve={entry.serve}
          isActive={isActive}
          titleId={titleId}
          sound={sound}
          onDone={props.onAdDone}
          onStop={() => props.onAdStop(entry.ad.id)}
        />
      ) : null}
      {/* A neighbor's rail is visible while it moves in, but it can't be focused yet. */}
      {video === null ? null : (
        <div className="feed-item-rail" inert={!isActive}>
          {rail(video)}
        </div>
      )}
    </article>
  );
}

/** Loaded once a neighbor is an ad. A feed without ads never loads it. */
const loadFeedAd = async () => (await import("#ads/web/feed-ad.tsx")).FeedAd;

interface SponsoredItemProps {
  adRef: Ref<FeedAdHandle> | undefined;
  ad: PublicAd;
  serve: string;
  isActive: boolean;
  titleId: string;
  sound: FeedSound;
  onDone: () => void;
  onStop: () => void;
}

/** Ad that fills a screen of the feed. The screen is dark while the ad's script loads. */
function SponsoredItem(props: SponsoredItemProps) {
  const { ad, serve, isActive, titleId, sound, onDone, onStop } = props;
  const isMuted = useStore(sound.store, (state) => state.isMuted);
  const { Lazy: FeedAd } = useLazyComponent(loadFeedAd, true);
  if (FeedAd === null) {
    return (
      <h2 id={titleId} className="sr-only">
        {ad.title}
      </h2>
    );
  }
  return (
    <FeedAd
      ref={props.adRef}
      ad={ad}
      serve={serve}
      active={isActive}
      isMuted={isMuted}
      onMutedChange={sound.setMuted}
      titleId={titleId}
      onDone={onDone}
      onStop={onStop}
    />
  );
}

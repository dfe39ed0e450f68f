import { PlayIcon } from "lucide-react";
import { useEffect, useImperativeHandle, useRef, useState, type Ref, type RefObject } from "react";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { PublicAd } from "../contract/ads.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { prefersReducedMotion } from "#web/features/player/core/preferences.ts";
import { reportAdEvent, type Impression } from "./api/report-ad-event.ts";
import { viewableAfterMs, watchViewable } from "./core/watch-viewable.ts";
import { AboutAd } from "./components/about-ad.tsx";
import { AdCreative, AdLink } from "./components/ad-creative.tsx";
import type { AdVideoControls } from "./video/creative.ts";
import "./feed-ad.css";

const playerMessages = inLanguage("player");
const adLabel = inLanguage("adLabel");
const messages = inLanguage("ads");

export interface FeedAdHandle {
  /** Plays or pauses a video ad. */
  togglePlay(): void;
}

interface FeedAdProps {
  ref?: Ref<FeedAdHandle>;
  ad: PublicAd;
  /** Token of the response that contained the ad. */
  serve: string;
  /** True if the ad is on screen. */
  active: boolean;
  /** Called when the video has ended, was skipped or has failed, so that the feed can move on. */
  onDone: () => void;
  /** Called when the visitor hides the ad. */
  onStop: () => void;
  isMuted?: boolean;
  onMutedChange?: (isMuted: boolean) => void;
  /** Id of the title for assistive technology. */
  titleId?: string;
}

/** Sponsored item of the feed. It fills one screen, with its texts at the bottom. */
export function FeedAd(props: FeedAdProps) {
  const { ad, serve, active, titleId } = props;
  const [wasActive, setWasActive] = useState(active);
  // Neighbors are rendered before they are on screen. An ad is only loaded and counted once it is
  // active.
  if (active && !wasActive) setWasActive(true);
  const impression: Impression = { adId: ad.id, serve, placement: "feed" };
  const isVideo = ad.type === "video";
  const [isWaiting, setWaiting] = useState(() => isVideo && prefersReducedMotion());
  const video = useRef<AdVideoControls>(null);
  useImperativeHandle(
    props.ref,
    () => ({
      togglePlay() {
        if (isWaiting) setWaiting(false);
        else video.current?.togglePlay();
      },
    }),
    [isWaiting],
  );

  return (
    <div className="spot-feed" data-kind={isVideo ? "video" : "image"} inert={!active}>
      {isVideo ? (
        <FeedVideo {...props} active={active && !isWaiting} impression={impression} video={video} />
      ) : wasActive ? (
        <FeedImage ad={ad} impression={impression} active={active} />
      ) : null}
      {isWaiting ? (
        <button
          type="button"
          className="spot-feed-play"
          aria-label={playerMessages.play}
          onClick={() => setWaiting(false)}
        >
          <PlayIcon className="size-8" />
        </button>
      ) : null}
      <div className="spot-feed-foot" hidden={isVideo && active && !isWaiting}>
        <p className="spot-feed-label spot-label">
          {adLabel.label}
          <AboutAd adId={ad.id} onStop={props.onStop} />
        </p>
        <h2 id={titleId} className="spot-feed-title">
          <bdi>{ad.title}</bdi>
        </h2>
        {ad.description === null ? null : <bdi className="spot-feed-text">{ad.description}</bdi>}
        {ad.linkUrl === null ? null : (
          <AdLink
            url={ad.linkUrl}
            className={buttonClass({ kind: "primary" })}
            onClick={() => reportAdEvent(impression, "click")}
          >
            {messages.visit}
          </AdLink>
        )}
      </div>
    </div>
  );
}

interface FeedImageProps {
  ad: PublicAd;
  impression: Impression;
  active: boolean;
}

function FeedImage({ ad, impression, active }: FeedImageProps) {
  const box = useRef<HTMLDivElement>(null);
  const { adId, serve } = impression;
  useEffect(() => {
    if (!active || box.current === null) return undefined;
    const shown: Impression = { adId, serve, placement: "feed" };
    // If the visitor swipes back, the server doesn't count this serve again.
    reportAdEvent(shown, "impression");
    return watchViewable(box.current, viewableAfterMs.image, () =>
      reportAdEvent(shown, "viewable"),
    );
  }, [active, adId, serve]);
  if (ad.content === null && ad.imageUrl === null) return <div ref={box} className="spot-fill" />;
  return (
    <div ref={box} className="spot-space spot-feed-space">
      <AdCreative ad={ad} canGrow={false} onClick={() => reportAdEvent(impression, "click")} />
    </div>
  );
}

/** Video ad, which plays like an ad break of the player. */
function FeedVideo(
  props: FeedAdProps & { impression: Impression; video: RefObject<AdVideoControls | null> },
) {
  const { ad, active, impression, video, isMuted = true } = props;
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const { adId, serve } = impression;

  useEffect(() => {
    const container = box.current;
    if (!active || container === null) return undefined;
    const life = new AbortController();
    const { signal } = life;
    const play = async () => {
      const { playFeedAd } = await import("./video/play-feed-ad.ts");
      if (document.visibilityState === "hidden") {
        await new Promise((resolve) => {
          document.addEventListener("visibilitychange", resolve, { once: true, signal });
        });
      }
      await playFeedAd({
        ad,
        impression: { adId, serve, placement: "feed" },
        container,
        signal,
        isMuted: () => latest.current.isMuted ?? true,
        onVideo(started) {
          video.current = started;
        },
        onMutedChange: (isNowMuted) => latest.current.onMutedChange?.(isNowMuted),
      });
      if (!signal.aborted) latest.current.onDone();
    };
    play().catch((error: unknown) => {
      if (signal.aborted) return;
      console.warn("a sponsored video failed", error);
      latest.current.onDone();
    });
    return () => {
      life.abort();
      container.replaceChildren();
    };
  }, [active, ad, adId, serve, video]);

  useEffect(() => video.current?.setMuted(isMuted), [video, isMuted]);

  return (
    <div ref={box} className="spot-fill spot-feed-player">
      {/* The ad break renders in here, without React. */}
    </div>
  );
}

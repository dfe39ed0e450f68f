import { useEffect, useRef, useState } from "react";
import type { PublicAd } from "../../../../contract/ads.ts";
import { buttonClass } from "../../../components/ui/button.tsx";
import type { AdStage } from "../../player/core/ads/ad-provider.ts";
import { reportSpot, type Display } from "../api/report-spot.ts";
import { sponsoredLink } from "../core/open-link.ts";
import { watchViewable } from "../core/watch-viewable.ts";
import { spotMessages as messages } from "../messages.ts";
import { SpotCreative } from "./spot-creative.tsx";
import "./feed-spot.css";

interface FeedAdProps {
  ad: PublicAd;
  /** The name of the answer that the ad came with. */
  serve: string;
  /** Different for every place at which the feed shows this ad; 0 to 255. */
  turn?: number;
  /** Whether it is the item on the screen. */
  active: boolean;
  /** The film is over, was skipped or cannot be had: the feed may move on. */
  onDone: () => void;
  isMuted?: boolean;
  onMutedChange?: (isMuted: boolean) => void;
  /** Names the item for assistive technology. */
  titleId?: string;
}

/** A sponsored item of the feed: one screen, what it is said at the top, what it is at the bottom. */
export function FeedAd(props: FeedAdProps) {
  const { ad, serve, turn = 0, active, titleId } = props;
  const [wasActive, setWasActive] = useState(active);
  // Neighbours are drawn before they are on the screen: only then an ad costs a request or counts.
  if (active && !wasActive) setWasActive(true);
  const display: Display = { adId: ad.id, serve, placement: "feed", turn };
  const isFilm = ad.type === "video";

  return (
    <div className="spot-feed" data-kind={isFilm ? "film" : "still"}>
      {isFilm ? (
        <FeedFilm {...props} display={display} />
      ) : wasActive ? (
        <FeedStill ad={ad} display={display} active={active} />
      ) : null}
      <div className="spot-feed-foot" hidden={isFilm && active}>
        <p className="spot-feed-label">{messages.label}</p>
        <h2 id={titleId} className="spot-feed-title">
          {ad.title}
        </h2>
        {ad.description === null ? null : <p className="spot-feed-text">{ad.description}</p>}
        {ad.linkUrl === null ? null : (
          <a
            href={ad.linkUrl}
            {...sponsoredLink}
            className={buttonClass({ kind: "primary" })}
            onClick={() => reportSpot(display, "click")}
          >
            {messages.visit}
          </a>
        )}
      </div>
    </div>
  );
}

interface StillProps {
  ad: PublicAd;
  display: Display;
  active: boolean;
}

function FeedStill({ ad, display, active }: StillProps) {
  const box = useRef<HTMLDivElement>(null);
  const { adId, serve, turn } = display;
  useEffect(() => {
    if (!active || box.current === null) return undefined;
    const shown: Display = { adId, serve, placement: "feed", turn };
    // Swiped back to: the server knows this serve and turn, and counts it once.
    reportSpot(shown, "impression");
    return watchViewable(box.current, 1000, () => reportSpot(shown, "viewable"));
  }, [active, adId, serve, turn]);
  if (ad.content === null && ad.imageUrl === null) return <div ref={box} className="spot-fill" />;
  return (
    <div ref={box} className="spot-room spot-feed-room">
      <SpotCreative ad={ad} mayGrow={false} onClick={() => reportSpot(display, "click")} />
    </div>
  );
}

/** A film plays like one in the player: with its countdown, its end and its servers. */
function FeedFilm(props: FeedAdProps & { display: Display }) {
  const { ad, active, display } = props;
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const { adId, serve, turn } = display;

  useEffect(() => {
    const container = box.current;
    if (!active || container === null) return undefined;
    const life = new AbortController();
    const play = async () => {
      const { findCreative } = await import("../video/prepare-break.ts");
      const { createBreak } = await import("../video/create-break.ts");
      const shown: Display = { adId, serve, placement: "feed", turn };
      const creative = await findCreative(ad, shown, life.signal);
      if (life.signal.aborted) return;
      const stage: AdStage = {
        container,
        signal: life.signal,
        isMuted: latest.current.isMuted ?? true,
        volume: 1,
        onVisible: () => {},
        onSoundChange: ({ isMuted }) => latest.current.onMutedChange?.(isMuted),
      };
      if (creative !== null) await createBreak({ ad, display: shown, creative }).play(stage);
      if (!life.signal.aborted) latest.current.onDone();
    };
    play().catch((error: unknown) => {
      if (life.signal.aborted) return;
      console.warn("a sponsored film failed", error);
      latest.current.onDone();
    });
    return () => {
      life.abort();
      container.replaceChildren();
    };
  }, [active, ad, adId, serve, turn]);

  return (
    <div ref={box} className="spot-fill spot-feed-stage">
      {/* The stage's own; React draws nothing inside. */}
    </div>
  );
}

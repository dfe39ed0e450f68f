import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { PublicAd } from "../../../../contract/ads.ts";
import { limits } from "../../../../contract/limits.ts";
import { CloseIcon } from "../../../components/ui/icons.tsx";
import { fetchSpots } from "../api/fetch-spots.ts";
import { reportSpot, type Display } from "../api/report-spot.ts";
import { closePlace } from "../core/closed-places.ts";
import { pickAd } from "../core/pick.ts";
import type { SlotPlacement, SpotState } from "../core/slot-state.ts";
import { watchViewable } from "../core/watch-viewable.ts";
import { spotMessages as messages } from "../messages.ts";
import { SpotCreative } from "./spot-creative.tsx";

interface SpotViewProps {
  placement: SlotPlacement;
  categories?: readonly string[];
  keepsRoom: boolean;
  onState: (state: SpotState) => void;
}

interface Shown {
  ad: PublicAd;
  display: Display;
}

/** Loads ads, picks one, counts it and shows it: in its place, or as a popup over the page. */
export function SpotView({ placement, categories, keepsRoom, onState }: SpotViewProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const slugs = categories?.join(",") ?? "";

  useEffect(() => {
    // A second mount (React's development check) starts anew; what was aborted counts nothing.
    const life = new AbortController();
    fetchSpots({
      placement,
      limit: limits.bannerAdFetch,
      categories: slugs === "" ? [] : slugs.split(","),
      signal: life.signal,
    }).then(
      ({ ads, serve }) => {
        if (life.signal.aborted) return;
        const ad = pickAd(
          ads.filter(({ type }) => type !== "video"),
          Math.random,
        );
        if (ad === null) return onState("empty");
        const display: Display = { adId: ad.id, serve, placement };
        reportSpot(display, "impression");
        setShown({ ad, display });
        onState(ad.type === "popup" ? "empty" : "shown");
      },
      (error: unknown) => {
        if (life.signal.aborted) return;
        console.warn("ads could not be had", error);
        onState("empty");
      },
    );
    return () => life.abort();
  }, [placement, slugs, onState]);

  const close = () => {
    closePlace(placement);
    setShown(null);
    onState("gone");
  };

  if (shown?.ad.type === "popup") {
    return (
      <>
        {keepsRoom ? <div className="spot-room" /> : null}
        {createPortal(<Popup shown={shown} onClose={close} />, document.body)}
      </>
    );
  }
  if (shown === null && !keepsRoom) return null;
  return (
    <>
      <div className="spot-line">
        <span>{messages.label}</span>
        {placement === "header" && shown !== null ? <CloseButton onClose={close} /> : null}
      </div>
      <div className="spot-room">
        {shown === null ? null : <Counted shown={shown} mayGrow={placement !== "header"} />}
      </div>
    </>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" className="spot-close" aria-label={messages.close} onClick={onClose}>
      <CloseIcon className="size-4.5" />
    </button>
  );
}

/** A picture counts as seen when half of it was on the screen for a second. */
const viewableMs = 1000;

function Counted({ shown, mayGrow }: { shown: Shown; mayGrow: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const { ad, display } = shown;
  useEffect(() => {
    if (box.current === null) return undefined;
    return watchViewable(box.current, viewableMs, () => reportSpot(display, "viewable"));
  }, [display]);
  return (
    <div ref={box} className="spot-fill">
      <SpotCreative ad={ad} mayGrow={mayGrow} onClick={() => reportSpot(display, "click")} />
    </div>
  );
}

function Popup({ shown, onClose }: { shown: Shown; onClose: () => void }) {
  useEffect(() => {
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) onClose();
    };
    document.addEventListener("keydown", closeByKey);
    return () => document.removeEventListener("keydown", closeByKey);
  }, [onClose]);
  return (
    // Not modal: it stands beside the page's content and takes no focus.
    <section className="spot-popup" aria-label={messages.label}>
      <div className="spot-line">
        <span>{messages.label}</span>
        <CloseButton onClose={onClose} />
      </div>
      <div className="spot-room">
        <Counted shown={shown} mayGrow />
      </div>
    </section>
  );
}

import { XIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { PublicAd } from "../../../../contract/ads.ts";
import { limits } from "../../../../contract/limits.ts";
import { fetchAds } from "../api/fetch-ads.ts";
import { reportAdEvent, type Impression } from "../api/report-ad-event.ts";
import { useConsent } from "../../../lib/consent.ts";
import { useStore } from "../../../lib/use-store.ts";
import { closeSlot } from "../core/closed-slots.ts";
import { askInTurn, noteOnPage } from "../core/page-ads.ts";
import { pickAd } from "../core/pick-ad.ts";
import { popupHost } from "../core/popup-host.ts";
import type { SlotPlacement, SlotState } from "../core/slot-state.ts";
import { viewableAfterMs, watchViewable } from "../core/watch-viewable.ts";
import { adLabel } from "../ad-label.ts";
import { adMessages as messages } from "../messages.ts";
import { AboutAd } from "./about-ad.tsx";
import { AdCreative } from "./ad-creative.tsx";

interface SlotViewProps {
  placement: SlotPlacement;
  categories?: readonly string[];
  tags?: readonly string[];
  hasSpace: boolean;
  onState: (state: SlotState) => void;
}

interface ShownAd {
  ad: PublicAd;
  impression: Impression;
}

/** Requests ads, picks one, counts it and shows it: in the slot, or as a popup over the page. */
export function SlotView({ placement, categories, tags, hasSpace, onState }: SlotViewProps) {
  const [shown, setShown] = useState<ShownAd | null>(null);
  const host = useStore(popupHost, ({ element }) => element);
  const slugs = `${categories?.join() ?? ""} ${tags?.join() ?? ""}`;
  const hasConsent = useConsent() === "yes";
  /** For which page an ad was shown: a consent fills empty slots alone. */
  const shownFor = useRef("");
  const leave = useRef(() => {});
  useEffect(() => () => leave.current(), []);

  useEffect(() => {
    if (shownFor.current === `${placement} ${slugs}`) return undefined;
    // React mounts twice in development: an aborted request counts nothing.
    const life = new AbortController();
    const [ofCategories = [], ofTags = []] = slugs
      .split(" ")
      .map((list) => list.split(",").filter((slug) => slug !== ""));
    const ask = (beside: string[]) =>
      fetchAds({
        placement,
        types: ["banner", "popup"],
        limit: limits.bannerAdFetch,
        categories: ofCategories,
        tags: ofTags,
        beside,
        signal: life.signal,
      });
    askInTurn(async (beside) => {
      const { ads, serve } = await ask(beside);
      if (life.signal.aborted) return null;
      const ad = pickAd(
        ads.filter(({ type }) => type !== "video"),
        Math.random,
      );
      if (ad !== null) leave.current = noteOnPage(leave, ad.id);
      return ad === null ? null : { ad, serve };
    }).then(
      (found) => {
        if (life.signal.aborted) return;
        if (found === null) return onState("empty");
        const { ad, serve } = found;
        const impression: Impression = { adId: ad.id, serve, placement };
        reportAdEvent(impression, "impression");
        shownFor.current = `${placement} ${slugs}`;
        setShown({ ad, impression });
        onState(ad.type === "popup" ? "empty" : "shown");
      },
      (error: unknown) => {
        if (life.signal.aborted) return;
        console.warn("ads could not be loaded", error);
        onState("empty");
      },
    );
    return () => life.abort();
  }, [placement, slugs, onState, hasConsent]);

  const remove = () => {
    leave.current();
    setShown(null);
    onState("gone");
  };
  const close = () => {
    closeSlot(placement);
    remove();
  };

  if (shown?.ad.type === "popup") {
    return (
      <>
        {hasSpace ? <div className="spot-space" /> : null}
        {createPortal(
          <Popup shown={shown} onClose={close} onStop={remove} />,
          host ?? document.body,
        )}
      </>
    );
  }
  if (shown === null && !hasSpace) return null;
  return (
    <>
      <div className="spot-head">
        <Label shown={shown} onStop={remove} />
        {placement === "header" && shown !== null ? <CloseButton onClose={close} /> : null}
      </div>
      <div className="spot-space">
        {shown === null ? null : <CountedAd shown={shown} canGrow={placement !== "header"} />}
      </div>
    </>
  );
}

function Label({ shown, onStop }: { shown: ShownAd | null; onStop: () => void }) {
  return (
    <span className="spot-label">
      {adLabel.label}
      {shown === null ? null : <AboutAd adId={shown.ad.id} onStop={onStop} />}
    </span>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" className="spot-close" aria-label={messages.close} onClick={onClose}>
      <XIcon className="size-4.5" />
    </button>
  );
}

function CountedAd({ shown, canGrow }: { shown: ShownAd; canGrow: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const { ad, impression } = shown;
  useEffect(() => {
    if (box.current === null) return undefined;
    return watchViewable(box.current, viewableAfterMs.image, () =>
      reportAdEvent(impression, "viewable"),
    );
  }, [impression]);
  return (
    <div ref={box} className="spot-fill">
      <AdCreative ad={ad} canGrow={canGrow} onClick={() => reportAdEvent(impression, "click")} />
    </div>
  );
}

interface PopupProps {
  shown: ShownAd;
  onClose: () => void;
  onStop: () => void;
}

function Popup({ shown, onClose, onStop }: PopupProps) {
  useEffect(() => {
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) onClose();
    };
    document.addEventListener("keydown", closeByKey);
    return () => document.removeEventListener("keydown", closeByKey);
  }, [onClose]);
  return (
    // Not modal: the page stays usable and keeps the focus.
    <section className="spot-popup" aria-label={adLabel.label}>
      <div className="spot-head">
        <Label shown={shown} onStop={onStop} />
        <CloseButton onClose={onClose} />
      </div>
      <div className="spot-space">
        <CountedAd shown={shown} canGrow />
      </div>
    </section>
  );
}

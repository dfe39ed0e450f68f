import { XIcon } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { createPortal } from "react-dom";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { PublicAd } from "../../contract/ads.ts";
import { limits } from "#contract/limits.ts";
import { fetchAds } from "../api/fetch-ads.ts";
import { reportAdEvent, type Impression } from "../api/report-ad-event.ts";
import { useConsent } from "#web/lib/consent.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { isInDialog } from "#web/lib/open-dialog.ts";
import { useStore } from "#web/lib/store.ts";
import { closeSlot } from "../close-slot.ts";
import { isSlotClosed } from "../closed-slots.ts";
import { companionOffer, takeCompanion, type CompanionOffer } from "../core/companions.ts";
import { askInTurn, noteOnPage } from "../core/page-ads.ts";
import { popupHost } from "../popup-host.ts";
import type { SlotPlacement, SlotState } from "../core/slot-state.ts";
import { viewableAfterMs, watchViewable } from "../core/watch-viewable.ts";
import { AboutAd } from "./about-ad.tsx";
import { AdCreative } from "./ad-creative.tsx";
import type { Companion } from "../vast/vast-ad.ts";

const adLabel = inLanguage("adLabel");
const messages = inLanguage("ads");

const loadCompanionView = () =>
  import("./companion-view.tsx").then((module) => module.CompanionView);

interface SlotViewProps {
  placement: SlotPlacement;
  categories?: readonly string[];
  tags?: readonly string[];
  hasSpace: boolean;
  /** Popups don't wait until the slot is near the screen. All other ads do. */
  isNear: boolean;
  allowsPopups?: boolean;
  onState: (state: SlotState) => void;
  /** Removes the slot. It returns with the first page opened after `closedMs`. */
  setClosed: (isClosed: true) => void;
}

interface ShownAd {
  ad: PublicAd;
  impression: Impression;
}

/** Requests ads, counts the first one and shows it in the slot or as a popup over the page. */
export function SlotView({
  placement,
  categories,
  tags,
  hasSpace,
  isNear,
  allowsPopups = true,
  onState,
  setClosed,
}: SlotViewProps) {
  const host = useStore(popupHost, ({ element }) => element);
  const { shown, clear } = useSlotAd({
    placement,
    categories,
    tags,
    isNear,
    allowsPopups,
    onState,
    setClosed,
  });
  const space = useRef<HTMLDivElement>(null);
  const beside = useCompanion(space);
  const { Lazy: CompanionView } = useLazyComponent(loadCompanionView, beside.companion !== null);
  const isEmpty = useRef(true);
  isEmpty.current = shown === null;
  useEffect(() => {
    if (beside.companion === null || shown !== null) return undefined;
    onState("shown");
    return () => {
      if (isEmpty.current) onState("empty");
    };
  }, [beside.companion, shown, onState]);

  const remove = () => clear("gone");
  const close = () => {
    closeSlot(placement);
    setClosed(true);
  };

  if (shown?.ad.type === "popup") {
    return (
      <>
        {hasSpace ? <div className="spot-space" /> : null}
        {allowsPopups
          ? createPortal(
              <Popup shown={shown} onClose={close} onStop={remove} />,
              host ?? document.body,
            )
          : null}
      </>
    );
  }
  if (shown === null && !hasSpace) return null;
  return (
    <>
      <div className="spot-head">
        {beside.companion === null ? (
          <Label adId={shown?.ad.id ?? null} onStop={remove} />
        ) : (
          <Label adId={beside.adId} onStop={beside.leave} />
        )}
        {placement === "header" && (shown !== null || beside.companion !== null) ? (
          <CloseButton onClose={close} />
        ) : null}
      </div>
      <div ref={space} className="spot-space">
        {shown === null ? null : (
          <CountedAd
            shown={shown}
            canGrow={placement !== "header"}
            isWaiting={beside.companion !== null}
          />
        )}
        {beside.companion === null || CompanionView === null ? null : (
          <CompanionView companion={beside.companion} />
        )}
      </div>
    </>
  );
}

/** Requests an ad for the slot, and a new one when the page's categories or tags change. */
function useSlotAd(slot: Omit<SlotViewProps, "hasSpace">): {
  shown: ShownAd | null;
  clear: (state: SlotState) => void;
} {
  const { placement, categories, tags, isNear, allowsPopups, onState, setClosed } = slot;
  const [drawn, setDrawn] = useState<ShownAd | null>(null);
  const [shown, setShown] = useState<ShownAd | null>(null);
  const slugs = `${categories?.join() ?? ""} ${tags?.join() ?? ""}`;
  const hasConsent = useConsent() === "yes";
  /** Page for which an ad was shown. Consent given later only fills empty slots. */
  const shownFor = useRef("");
  const leave = useRef(() => {});
  useEffect(() => () => leave.current(), []);
  const clear = useCallback(
    (state: SlotState) => {
      leave.current();
      setDrawn(null);
      setShown(null);
      onState(state);
    },
    [onState],
  );

  useEffect(() => {
    if (isSlotClosed(placement)) return setClosed(true);
    if (shownFor.current === `${placement} ${slugs}`) return undefined;
    // The next ad replaces the previous one, so it isn't a competitor of that one.
    leave.current();
    // React mounts twice in development, but an aborted request counts nothing.
    const life = new AbortController();
    const [ofCategories = [], ofTags = []] = slugs
      .split(" ")
      .map((list) => list.split(",").filter((slug) => slug !== ""));
    const ask = (beside: string[]) =>
      fetchAds({
        placement,
        limit: limits.bannerAdFetch,
        categories: ofCategories,
        tags: ofTags,
        beside,
        allowsPopups,
        signal: life.signal,
      });
    void askInTurn(async (beside) => {
      const { ads, serve } = await ask(beside);
      if (life.signal.aborted) return null;
      const ad = ads.find(({ type }) => type !== "video");
      if (ad !== undefined) leave.current = noteOnPage(leave, ad.id);
      return ad === undefined ? null : { ad, serve };
    })
      .catch((error: unknown) => {
        if (!life.signal.aborted) console.warn("couldn't load ads", error);
        return null;
      })
      .then((found) => {
        if (life.signal.aborted) return;
        shownFor.current = found === null ? "" : `${placement} ${slugs}`;
        if (found === null) return clear("empty");
        const { ad, serve } = found;
        setDrawn({ ad, impression: { adId: ad.id, serve, placement } });
      });
    return () => life.abort();
  }, [placement, slugs, allowsPopups, onState, setClosed, hasConsent, clear]);

  useEffect(() => {
    if (drawn === null || (!isNear && drawn.ad.type !== "popup")) return;
    reportAdEvent(drawn.impression, "impression");
    setDrawn(null);
    setShown(drawn);
    onState(drawn.ad.type === "popup" ? "empty" : "shown");
  }, [drawn, isNear, onState]);

  return { shown, clear };
}

/** Returns a companion of the current video ad that fits into the slot, if there is one. */
function useCompanion(space: RefObject<HTMLElement | null>) {
  const offer = useStore(companionOffer, (state) => state.offer);
  const [taken, setTaken] = useState<{ offer: CompanionOffer; companion: Companion } | null>(null);
  useEffect(() => {
    const element = space.current;
    if (offer === null || element === null) return setTaken(null);
    const companion = takeCompanion(offer, element.clientWidth, element.clientHeight);
    setTaken(companion === null ? null : { offer, companion });
  }, [offer, space]);
  return {
    adId: taken?.offer.adId ?? null,
    // A companion disappears as soon as its ad has ended.
    companion: taken !== null && taken.offer === offer ? taken.companion : null,
    leave: () => setTaken(null),
  };
}

function Label({ adId, onStop }: { adId: string | null; onStop: () => void }) {
  return (
    <span className="spot-label">
      {adLabel.label}
      {adId === null ? null : <AboutAd adId={adId} onStop={onStop} />}
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

interface CountedAdProps {
  shown: ShownAd;
  canGrow: boolean;
  /** True while a companion is in the slot, which delays the ad. */
  isWaiting?: boolean;
}

function CountedAd({ shown, canGrow, isWaiting = false }: CountedAdProps) {
  const box = useRef<HTMLDivElement>(null);
  const { ad, impression } = shown;
  useEffect(() => {
    if (box.current === null) return undefined;
    return watchViewable(box.current, viewableAfterMs.image, () =>
      reportAdEvent(impression, "viewable"),
    );
  }, [impression]);
  return (
    <div ref={box} className="spot-fill" style={isWaiting ? { display: "none" } : undefined}>
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
      if (event.key !== "Escape" || event.defaultPrevented || isInDialog(event.target)) return;
      onClose();
    };
    document.addEventListener("keydown", closeByKey);
    return () => document.removeEventListener("keydown", closeByKey);
  }, [onClose]);
  return (
    // Not modal, so that the page stays usable and keeps the focus.
    <section className="spot-popup" aria-label={adLabel.label}>
      <div className="spot-head">
        <Label adId={shown.ad.id} onStop={onStop} />
        <CloseButton onClose={onClose} />
      </div>
      <div className="spot-space">
        <CountedAd shown={shown} canGrow />
      </div>
    </section>
  );
}

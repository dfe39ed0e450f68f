import { useCallback, useEffect, useLayoutEffect, useState, type CSSProperties } from "react";
import { useLocation } from "react-router";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { AdSlotInfo } from "../contract/ads.ts";
import { useSite } from "#web/lib/page/site.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { isSlotClosed } from "./closed-slots.ts";
import type { SlotPlacement, SlotState } from "./core/slot-state.ts";
import "./ad-slot.css";

export { AllowsTrustedAds } from "./core/slot-state.ts";

const adLabel = inLanguage("adLabel");

interface AdSlotProps {
  placement: SlotPlacement;
  /** Slugs of the categories of the page's content, for targeted ads. */
  categories?: readonly string[];
  /** Slugs of the tags of the page's content. */
  tags?: readonly string[];
  /** False on pages that a popup would get in the way of. */
  allowsPopups?: boolean;
}

// Loaded once the slot is near the screen, so that it isn't part of the page's first scripts.
const loadSlotView = () => import("./components/slot-view.tsx").then((module) => module.SlotView);

type SizeStyle = CSSProperties & Record<`--${string}`, string>;

/** Returns the declared size. Undefined if the style sheet determines it. */
function sizeStyle(slot: AdSlotInfo | undefined): SizeStyle | undefined {
  if (slot?.widthPx == null || slot.heightPx == null) return undefined;
  const { widthPx, heightPx } = slot;
  return { "--spot-width": `${widthPx}px`, "--spot-ratio": `${widthPx} / ${heightPx}` };
}

/** Distance from the screen at which a slot requests its ads. */
const nearPx = 300;
/** Milliseconds until a page is calm enough for a popup. */
const calmMs = 2000;

/**
 * Slot for an ad. If there are ads for it, reserves its space from the start. Otherwise, renders
 * nothing. The page is the same for all visitors, so each browser requests its own ad.
 */
export function AdSlot(props: AdSlotProps) {
  const { placement } = props;
  const { adSlots } = useSite();
  const { pathname } = useLocation();
  const [isClosed, setClosed] = useState(false);
  // A closed slot returns with a new page, because returning within a page would shift it.
  useLayoutEffect(() => {
    setClosed(isSlotClosed(placement));
    // Hides slots only until this effect. The first script sets it when a document loads.
    delete document.documentElement.dataset["closed"];
  }, [pathname, placement]);
  const slot = adSlots?.find((one) => one.placement === placement);
  if (isClosed || (adSlots !== null && slot === undefined)) return null;
  return <Slot {...props} slot={slot} setClosed={setClosed} />;
}

interface SlotProps extends AdSlotProps {
  slot: AdSlotInfo | undefined;
  setClosed: (isClosed: boolean) => void;
}

function Slot(props: SlotProps) {
  const { placement, slot, allowsPopups } = props;
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isNear, setIsNear] = useState(false);
  const [state, setState] = useState<SlotState>("waiting");
  const [isCalm, setIsCalm] = useState(false);
  const mayPopUp = slot?.hasPopups === true && allowsPopups !== false;
  const { Lazy: SlotView } = useLazyComponent(loadSlotView, isNear || isCalm);

  useEffect(() => {
    if (!mayPopUp) return undefined;
    const timer = setTimeout(() => setIsCalm(true), calmMs);
    return () => clearTimeout(timer);
  }, [mayPopUp]);

  useEffect(() => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        setIsNear(true);
      },
      { rootMargin: `${nearPx}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);

  const settle = useCallback(
    (next: SlotState) => {
      // Keeps a visible slot open without an ad, because closing it would shift the page.
      const isOnScreen =
        element !== null && element.getBoundingClientRect().top < window.innerHeight;
      setState(next === "empty" && !isOnScreen ? "gone" : next);
    },
    [element],
  );

  // No space is reserved if there are only popups or if the slots are unknown.
  const hasSpace = slot?.isInline === true;
  const style = sizeStyle(slot);
  return (
    <aside
      ref={setElement}
      className="spot"
      data-slot={placement}
      data-state={state}
      data-consent={slot?.needsConsent}
      data-sized={style === undefined ? undefined : ""}
      style={style}
      aria-label={adLabel.slots[placement]}
      aria-hidden={state === "shown" ? undefined : true}
    >
      {SlotView !== null ? (
        <SlotView {...props} hasSpace={hasSpace} isNear={isNear} onState={settle} />
      ) : hasSpace ? (
        <>
          <div className="spot-head" />
          <div className="spot-space" />
        </>
      ) : null}
    </aside>
  );
}

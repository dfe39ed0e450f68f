import { InfoIcon, XIcon } from "lucide-react";
import { useCallback, type CSSProperties, type ReactNode } from "react";
import type { AdPlacement } from "#ads/contract/ads.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { limits } from "#contract/limits.ts";
import { createAdControls } from "#ads/web/video/ad-controls.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { isAdBreakPlacement, type StagedAd } from "./staged-ad.ts";
import "#ads/web/ad-slot.css";
import "#ads/web/feed-ad.css";
import "#ads/web/video/ad-break.css";

const adLabel = inLanguage("adLabel");
const adMessages = inLanguage("ads");

interface PageProps {
  ad: StagedAd;
  placement: AdPlacement;
  /** Creative in the slot. */
  children: ReactNode;
}

/** Outline of the page with the ad in its place and the site's labels. */
export function PreviewPage(props: PageProps) {
  const { ad, placement } = props;
  if (placement === "feed") return <FeedOutline {...props} />;
  const slot = ad.type === "popup" || isAdBreakPlacement(placement) ? null : <Slot {...props} />;
  return (
    <div className="flex min-h-dvh flex-col">
      <Bar />
      {placement === "footer" ? (
        <main className="mx-auto w-full max-w-page flex-1 gutter pt-5">
          <Cards columns="grid-cols-2 md:grid-cols-3 xl:grid-cols-4" count={4} />
        </main>
      ) : (
        <main className="mx-auto w-full max-w-page flex-1 gutter sm:pt-5">
          {placement === "header" ? slot : null}
          <div className="grid gap-x-8 lg:grid-cols-[minmax(0,1fr)_23rem]">
            <div>
              <div className="relative aspect-video max-h-[70dvh] w-full overflow-hidden bg-video">
                {isAdBreakPlacement(placement) ? <Break {...props} /> : null}
              </div>
              <div className="mt-4 h-5 w-2/3 rounded-sm bg-ink-4" />
              <div className="mt-3 h-4 w-1/3 rounded-sm bg-ink-3" />
            </div>
            <div className="max-lg:mt-10">
              {placement === "sidebar" ? slot : null}
              <div className="mt-6">
                <Cards columns="grid-cols-2 lg:grid-cols-1" count={2} />
              </div>
            </div>
          </div>
        </main>
      )}
      {placement === "footer" ? slot : null}
      <div className="mt-8 h-16 border-t border-line bg-ink-2 max-md:h-(--bottom-bar-height)" />
      {ad.type === "popup" ? <Popup {...props} /> : null}
    </div>
  );
}

const Bar = () => (
  <div className="flex h-(--bar-height) shrink-0 items-center border-b border-line gutter">
    <div className="h-4 w-28 rounded-sm bg-ink-4" />
  </div>
);

function Cards({ columns, count }: { columns: string; count: number }) {
  return (
    <div className={`grid gap-4 ${columns}`}>
      {Array.from({ length: count }, (_, at) => (
        <div key={at}>
          <div className="aspect-video rounded-md bg-ink-3" />
          <div className="mt-2 h-4 w-3/4 rounded-sm bg-ink-3" />
        </div>
      ))}
    </div>
  );
}

const Label = ({ className = "" }: { className?: string }) => (
  <p className={`spot-label ${className}`}>
    {adLabel.label}
    <span className="spot-about">
      <InfoIcon aria-hidden="true" className="size-4" />
    </span>
  </p>
);

const Close = () => (
  <span className="spot-close">
    <XIcon aria-hidden="true" className="size-4.5" />
  </span>
);

function Slot({ ad: { widthPx, heightPx }, placement, children }: PageProps) {
  const isSized = widthPx !== null && heightPx !== null;
  const style: CSSProperties & Record<`--${string}`, string> = isSized
    ? { "--spot-width": `${widthPx}px`, "--spot-ratio": `${widthPx} / ${heightPx}` }
    : {};
  return (
    <aside
      className="spot"
      data-slot={placement}
      data-state="shown"
      data-sized={isSized ? "" : undefined}
      style={style}
      aria-label={adLabel.label}
    >
      <div className="spot-head">
        <Label />
        {placement === "header" ? <Close /> : null}
      </div>
      <div className="spot-space">
        <div className="spot-fill">{children}</div>
      </div>
    </aside>
  );
}

const Popup = ({ children }: PageProps) => (
  <section className="spot-popup" aria-label={adLabel.label}>
    <div className="spot-head">
      <Label />
      <Close />
    </div>
    <div className="spot-space">
      <div className="spot-fill">{children}</div>
    </div>
  </section>
);

/** Shows the player's controls over an ad, in their initial state. */
function Break({ ad, children }: PageProps) {
  const isVideo = ad.video !== null;
  const { linkUrl, isBumper } = ad;
  const addControls = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return;
      const controls = createAdControls({
        adId: "",
        linkUrl,
        onFollow: () => null,
        onSkip: isBumper ? null : () => {},
        sound: isVideo ? { isMuted: false, onChange() {} } : null,
        linksWholeAd: false,
      });
      const skipInS = limits.adSkipAfterS;
      controls.setTimes({ skipInS, progress: 0, leftS: limits.adAutoCompleteS });
      element.replaceChildren(controls.root);
    },
    [isVideo, isBumper, linkUrl],
  );
  const kind = isVideo ? "video" : ad.html === null ? "card" : "html";
  return (
    <div className="spot-break @container" data-kind={kind}>
      {children}
      <div ref={addControls} inert />
    </div>
  );
}

/** Feed item. It fills a phone's screen and is a tall frame on wider screens. */
function FeedOutline(props: PageProps) {
  const { ad, children } = props;
  const isVideo = ad.type === "video";
  return (
    <div className="flex h-dvh flex-col">
      <div className="contents max-md:hidden">
        <Bar />
      </div>
      <div className="flex min-h-0 flex-1 justify-center md:py-5">
        <div className="relative w-full overflow-hidden bg-video md:aspect-[9/16] md:h-full md:w-auto md:rounded-lg">
          <div className="spot-feed" data-kind={isVideo ? "video" : "image"}>
            {isVideo ? (
              <div className="spot-fill spot-feed-player">
                <Break {...props} />
              </div>
            ) : ad.html === null && ad.imageUrl === null ? (
              <div className="spot-fill" />
            ) : (
              <div className="spot-space spot-feed-space">{children}</div>
            )}
            {isVideo ? null : <FeedTexts ad={ad} />}
          </div>
        </div>
      </div>
      <div className="h-(--bottom-bar-height) shrink-0 border-t border-line md:hidden" />
    </div>
  );
}

const FeedTexts = ({ ad: { title, description, linkUrl } }: { ad: StagedAd }) => (
  <div className="spot-feed-foot">
    <Label className="spot-feed-label" />
    <p className="spot-feed-title">
      <bdi>{title}</bdi>
    </p>
    {description === null ? null : <bdi className="spot-feed-text">{description}</bdi>}
    {linkUrl === null ? null : (
      <span className={`${buttonClass({ kind: "primary" })} mt-2`}>{adMessages.visit}</span>
    )}
  </div>
);

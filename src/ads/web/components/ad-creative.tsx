import { use, useEffect, useRef, useState, type CSSProperties } from "react";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { PublicAd } from "../../contract/ads.ts";
import { AllowsTrustedAds } from "../core/slot-state.ts";
import { sponsoredLink } from "../core/sponsored-link.ts";
import { mountTrustedHtml } from "../core/trusted-html.ts";
import { frameSandbox, pageLinks, supportsColorScheme } from "../../contract/ad-frame.ts";
import { fitFrame } from "../core/fit-frame.ts";
import { listenToFrame } from "../core/frame-messages.ts";

const messages = inLanguage("ads");

interface IsolatedFrameProps {
  ad: PublicAd;
  canGrow: boolean;
  onClick: () => void;
}

/**
 * Shows an ad's HTML in a frame with an opaque origin. The HTML is rendered at its natural size and
 * scaled down to the reserved space. The frame opens its links itself.
 */
export function IsolatedFrame({ ad, canGrow, onClick }: IsolatedFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [style, setStyle] = useState<CSSProperties>({});

  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const { widthPx, heightPx } = ad;
    const declared = widthPx === null || heightPx === null ? null : { widthPx, heightPx };
    const fitting = fitFrame(element, { declared, canGrow, onStyle: setStyle });
    const stop = listenToFrame(element, {
      onSize: (size) => fitting.report(size.heightPx),
      onClick,
    });
    return () => {
      stop();
      fitting.stop();
    };
    // A new callback must not recreate the frame.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ad, canGrow]);

  return (
    <iframe
      // A frame that loads another ad would add an entry to the tab's history, which traps Back.
      key={ad.id}
      ref={frame}
      className="spot-fill spot-frame"
      style={style}
      data-scheme={supportsColorScheme(ad.content ?? "") ? "" : undefined}
      title={ad.title}
      // This name tells the document that its content must not scroll.
      name="fixed"
      src={`/spots/frame/${ad.id}`}
      sandbox={frameSandbox}
      referrerPolicy="no-referrer"
      scrolling="no"
    />
  );
}

interface AdCreativeProps {
  ad: PublicAd;
  /** True if the slot may grow taller than its reserved space. */
  canGrow: boolean;
  /** Called to count a click. The browser follows the link. */
  onClick: () => void;
}

/**
 * Shows the ad's HTML, or else its image, or else its texts. The server sends no trusted ad to a
 * page that doesn't allow them. If one arrives anyway, it is isolated.
 */
export function AdCreative({ ad, canGrow, onClick }: AdCreativeProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const allowsTrustedAds = use(AllowsTrustedAds);
  if (ad.content !== null && ad.trust === "page" && allowsTrustedAds) {
    return <TrustedHtml adId={ad.id} html={ad.content} onClick={onClick} />;
  }
  if (ad.content !== null) return <IsolatedFrame ad={ad} canGrow={canGrow} onClick={onClick} />;
  const { imageUrl } = ad;
  if (imageUrl !== null && imageUrl !== failedUrl) {
    return (
      <AdLink url={ad.linkUrl} className="spot-fill" onClick={onClick}>
        <img
          className="spot-image"
          src={imageUrl}
          alt={ad.title}
          referrerPolicy="no-referrer"
          decoding="async"
          onError={() => setFailedUrl(imageUrl)}
        />
      </AdLink>
    );
  }
  return (
    <AdLink url={ad.linkUrl} className="spot-card" onClick={onClick}>
      <span>
        <bdi className="spot-card-title">{ad.title}</bdi>
        {ad.description === null ? null : <bdi className="spot-card-text">{ad.description}</bdi>}
      </span>
      {ad.linkUrl === null ? null : <span className="spot-card-go">{messages.visit}</span>}
    </AdLink>
  );
}

interface AdLinkProps {
  url: string | null;
  className: string;
  onClick: () => void;
  children: React.ReactNode;
}

/** Link that also counts middle clicks. Only a box if the ad has no URL. */
export function AdLink({ url, className, onClick, children }: AdLinkProps) {
  if (url === null) return <div className={className}>{children}</div>;
  return (
    <a
      // oxlint-disable-next-line kinora/page-path -- The advertiser's address.
      href={url}
      {...sponsoredLink}
      className={className}
      onClick={onClick}
      onAuxClick={(event) => event.button === 1 && onClick()}
    >
      {children}
    </a>
  );
}

/** HTML that runs in the page, because the operator trusts it. */
function TrustedHtml({ adId, html, onClick }: { adId: string; html: string; onClick: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const life = new AbortController();
    void mountTrustedHtml(element, html, adId, life.signal);
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (link === null) return;
      if (link.matches(pageLinks)) {
        link.setAttribute("target", "_blank");
        link.setAttribute("rel", sponsoredLink.rel);
      } else if (link.matches('[href^="#"]')) event.preventDefault();
      onClick();
    };
    element.addEventListener("click", follow, true);
    return () => {
      life.abort();
      element.removeEventListener("click", follow, true);
      element.replaceChildren();
    };
    // A new callback must not run the scripts again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [adId, html]);
  return <div ref={box} className="spot-fill overflow-auto" />;
}

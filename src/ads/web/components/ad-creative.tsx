import { use, useEffect, useRef, useState } from "react";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { PublicAd } from "../../contract/ads.ts";
import { AllowsTrustedAds } from "../ad-slot.tsx";
import { sponsoredLink } from "../core/sponsored-link.ts";
import { mountTrustedHtml } from "../core/trusted-html.ts";
import { IsolatedFrame } from "./isolated-frame.tsx";

const messages = inLanguage("ads");

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
  const [hasImage, setHasImage] = useState(ad.imageUrl !== null);
  const allowsTrustedAds = use(AllowsTrustedAds);
  if (ad.content !== null && ad.trust === "page" && allowsTrustedAds) {
    return <TrustedHtml adId={ad.id} html={ad.content} onClick={onClick} />;
  }
  if (ad.content !== null) return <IsolatedFrame ad={ad} canGrow={canGrow} onClick={onClick} />;
  if (ad.imageUrl !== null && hasImage) {
    return (
      <AdLink url={ad.linkUrl} className="spot-fill" onClick={onClick}>
        <img
          className="spot-image"
          src={ad.imageUrl}
          alt={ad.title}
          referrerPolicy="no-referrer"
          decoding="async"
          onError={() => setHasImage(false)}
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
      link.setAttribute("target", "_blank");
      link.setAttribute("rel", sponsoredLink.rel);
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

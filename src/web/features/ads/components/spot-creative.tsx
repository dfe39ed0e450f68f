import { useEffect, useRef, useState } from "react";
import type { PublicAd } from "../../../../contract/ads.ts";
import { sponsoredLink } from "../core/open-link.ts";
import { mountTrustedHtml } from "../core/trusted-html.ts";
import { spotMessages as messages } from "../messages.ts";
import { SpotFrame } from "./spot-frame.tsx";

interface SpotCreativeProps {
  ad: PublicAd;
  /** Whether the place may become taller than its room. */
  mayGrow: boolean;
  /** Counts the click; following it is the link's own doing. */
  onClick: () => void;
}

/** HTML where the ad has some, else its picture, else its words. */
export function SpotCreative({ ad, mayGrow, onClick }: SpotCreativeProps) {
  const [hasPicture, setHasPicture] = useState(ad.imageUrl !== null);
  if (ad.content !== null && ad.trust === "page") {
    return <TrustedHtml adId={ad.id} html={ad.content} onClick={onClick} />;
  }
  if (ad.content !== null) return <SpotFrame ad={ad} mayGrow={mayGrow} onClick={onClick} />;
  if (ad.imageUrl !== null && hasPicture) {
    return (
      <MaybeLink url={ad.linkUrl} className="spot-fill" onClick={onClick}>
        <img
          className="spot-picture"
          src={ad.imageUrl}
          alt={ad.title}
          referrerPolicy="no-referrer"
          decoding="async"
          onError={() => setHasPicture(false)}
        />
      </MaybeLink>
    );
  }
  return (
    <MaybeLink url={ad.linkUrl} className="spot-card" onClick={onClick}>
      <span>
        <span className="spot-card-title">{ad.title}</span>
        {ad.description === null ? null : <span className="spot-card-text">{ad.description}</span>}
      </span>
      {ad.linkUrl === null ? null : <span className="spot-card-go">{messages.visit}</span>}
    </MaybeLink>
  );
}

interface MaybeLinkProps {
  url: string | null;
  className: string;
  onClick: () => void;
  children: React.ReactNode;
}

function MaybeLink({ url, className, onClick, children }: MaybeLinkProps) {
  if (url === null) return <div className={className}>{children}</div>;
  return (
    <a
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

/** In the page, by the operator's word. */
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
    // The ad is drawn once: a new callback is no reason to run its scripts again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [adId, html]);
  return <div ref={box} className="spot-fill overflow-auto" />;
}

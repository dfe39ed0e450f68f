import { useEffect, useState, type ComponentType } from "react";
import { asksConsent, useSite } from "#web/lib/page/site.ts";

/** Loads the question only if consent is needed. Pages are the same for everyone. */
export function ConsentQuestion() {
  const site = useSite();
  const [Banner, setBanner] = useState<ComponentType | null>(null);
  const isAsked = asksConsent(site);
  useEffect(() => {
    if (!isAsked || document.cookie.includes("consent=")) return;
    import("#web/features/consent/consent-banner.tsx").then(
      ({ ConsentBanner }) => setBanner(() => ConsentBanner),
      // No consent is needed, because these ads aren't loaded.
      console.warn,
    );
  }, [isAsked]);
  return Banner === null ? null : <Banner />;
}

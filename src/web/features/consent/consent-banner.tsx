import { useConsent } from "#web/lib/consent.ts";
import { ConsentButtons } from "./consent-section.tsx";
import "./consent-banner.css";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("consent");

/** Asks once in a banner. The page stays usable and keeps the focus. */
export function ConsentBanner() {
  if (useConsent() !== null) return null;
  return (
    <section className="consent-banner" aria-label={messages.title}>
      <p className="text-sm">
        {messages.text}{" "}
        <a href={pagePath("/privacy#consent")} className="underline">
          {messages.more}
        </a>
      </p>
      <ConsentButtons />
    </section>
  );
}

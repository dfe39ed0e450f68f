import { useConsent } from "#web/lib/consent.ts";
import { ConsentButtons } from "./consent-buttons.tsx";
import { consentMessages as messages } from "./messages.ts";

/** Section of the privacy page in which visitors can change their choice. */
export function ConsentSection() {
  const consent = useConsent();
  const state = { yes: messages.accepted, no: messages.refused };
  return (
    <section aria-labelledby="consent" className="mb-10 max-w-[70ch] scroll-mt-20">
      <h2 id="consent" className="mb-3 text-lg font-semibold tracking-tight">
        {messages.title}
      </h2>
      <p className="mb-3 text-ink-11">{messages.text}</p>
      <p role="status" className="mb-4 font-medium">
        {consent === null ? messages.open : state[consent]}
      </p>
      {/* Without scripts, no ads are loaded and the buttons are hidden. */}
      <div className="max-w-md">
        <ConsentButtons />
      </div>
    </section>
  );
}

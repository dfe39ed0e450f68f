import { useConsent, saveConsent } from "#web/lib/consent.ts";
import { Button } from "#web/components/ui/button.tsx";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("consent");

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

/** Two buttons of equal weight, so that neither choice is easier. */
export function ConsentButtons() {
  const consent = useConsent();
  return (
    <div className="grid grid-cols-2 gap-3">
      <Button aria-pressed={consent === "no"} onClick={() => saveConsent("no")}>
        {messages.refuse}
      </Button>
      <Button aria-pressed={consent === "yes"} onClick={() => saveConsent("yes")}>
        {messages.accept}
      </Button>
    </div>
  );
}

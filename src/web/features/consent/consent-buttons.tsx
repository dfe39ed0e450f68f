import { Button } from "#web/components/ui/button.tsx";
import { saveConsent, useConsent } from "#web/lib/consent.ts";
import { consentMessages as messages } from "./messages.ts";

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

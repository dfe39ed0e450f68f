import { useEffect, useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { authMessages as messages } from "../messages.ts";

/** Only shown if the browser and the site's address support passkeys. */
export function PasskeyButton({ isBusy, onPasskey }: { isBusy: boolean; onPasskey: () => void }) {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => setOffered("PublicKeyCredential" in window), []);
  if (!isOffered) return null;
  return (
    <Button type="button" aria-disabled={isBusy} className="w-full" onClick={onPasskey}>
      {messages.passkey}
    </Button>
  );
}

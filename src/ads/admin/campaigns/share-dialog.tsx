import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { copyText } from "#web/features/admin/shared/copy-text.ts";
import { campaignMessages as messages } from "./messages.ts";

/**
 * Shows a secret link once. Its key is in the URL fragment, which browsers never send to servers.
 */
export function ShareDialog({
  name,
  shareKey,
  onClose,
}: {
  name: string;
  shareKey: string;
  onClose: () => void;
}) {
  const address = `${window.location.origin}/partner#${shareKey}`;
  return (
    <Dialog
      title="Secret link"
      description={`Anyone with this link can see the stats for ${name}, and nothing else. It's shown only once.`}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={() => void copyText(address, messages)}>
          Copy
        </Button>
      }
    >
      <p className="rounded-md bg-ink-3 px-4 py-3 font-mono text-sm break-all select-all">
        {address}
      </p>
    </Dialog>
  );
}

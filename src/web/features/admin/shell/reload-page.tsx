import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { reloading } from "../shared/session-renewal.ts";

/**
 * Asks to reload a page that doesn't belong to the current session: another user has signed in, or
 * the page is older than an update of the site. The browser asks before it discards a form.
 */
export function ReloadPage() {
  const isOpen = reloading.useIsAsked();
  const close = () => reloading.end(false);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      size="small"
      title="Reload this page"
      description="You signed in as another user, or the site was updated. To keep text that isn't saved, copy it before you reload."
      footer={
        <>
          <Button onClick={close}>Not now</Button>
          <Button kind="primary" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </>
      }
    />
  );
}

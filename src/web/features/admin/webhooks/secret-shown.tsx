import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { copyText } from "../shared/copy-text.ts";
import { webhookMessages as messages } from "./messages.ts";

/** Shows the secret of a new webhook. It can't be shown again. */
export function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={messages.secretTitle}
      description={messages.secretText}
      footer={
        <>
          <Button onClick={() => void copyText(secret, messages)}>{messages.copy}</Button>
          <Button kind="primary" onClick={onClose}>
            {messages.done}
          </Button>
        </>
      }
    >
      <TextField
        label={messages.secretTitle}
        isLabelHidden
        readOnly
        className="font-mono"
        value={secret}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  );
}

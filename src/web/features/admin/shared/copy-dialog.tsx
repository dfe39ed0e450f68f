import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { copyText as copyToClipboard } from "#web/lib/copy-text.ts";
import { notify } from "./notices.tsx";

/** Copies a text, and shows in a toast whether it worked. */
export async function copyText(
  text: string,
  messages: { copied: string; copyFailed: string },
): Promise<void> {
  if (await copyToClipboard(text)) notify.success(messages.copied);
  else notify.failure(messages.copyFailed);
}

/** Shows a link or a secret that can't be shown again, with a button that copies it. */
export function CopyDialog({
  title,
  description,
  value,
  copyLabel,
  messages,
  className,
  onClose,
}: {
  title: string;
  description: string;
  value: string;
  copyLabel: string;
  messages: { copied: string; copyFailed: string };
  className?: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={() => void copyText(value, messages)}>{copyLabel}</Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <TextField
        label={title}
        isLabelHidden
        readOnly
        className={className}
        value={value}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  );
}

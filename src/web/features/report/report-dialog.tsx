import { useId } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { FormDone } from "./form-notes.tsx";
import { ReportForm } from "./report-form.tsx";
import { useFormSending } from "./use-form-sending.ts";

const messages = inLanguage("report");

/** Dialog that reports a video without leaving its page. */
export function ReportDialog({
  slug,
  title,
  onClose,
}: {
  slug: string;
  title: string;
  onClose: () => void;
}) {
  const id = useId();
  const sending = useFormSending(messages.failed);
  return (
    <Dialog
      onClose={onClose}
      title={messages.title}
      description={title}
      footer={
        sending.isSent ? (
          <Button kind="primary" onClick={onClose}>
            {messages.done}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{messages.cancel}</Button>
            <Button kind="primary" type="submit" form={id} aria-disabled={sending.isBusy}>
              {sending.isBusy ? messages.sending : messages.send}
            </Button>
          </>
        )
      }
    >
      {sending.isSent ? (
        <FormDone message={messages.sent} />
      ) : (
        <ReportForm slug={slug} id={id} sending={sending} />
      )}
    </Dialog>
  );
}

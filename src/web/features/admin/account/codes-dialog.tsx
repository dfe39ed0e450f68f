import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { copyText } from "../shared/copy-text.ts";
import { accountMessages as messages } from "./messages.ts";

/** Shows recovery codes. The server can't show them again. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      size="small"
      onClose={onClose}
      title={messages.codesTitle}
      description={messages.codesText}
      footer={
        <>
          <Button onClick={() => void copyText(codes.join("\n"), messages)}>{messages.copy}</Button>
          <Button kind="primary" onClick={onClose}>
            {messages.kept}
          </Button>
        </>
      }
    >
      <ul
        aria-label={messages.codesTitle}
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-md bg-ink-3 p-4 font-mono text-sm min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { copyText } from "../shared/copy-text.ts";

/** Shows recovery codes. The server can't show them again. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      size="small"
      onClose={onClose}
      title="Recovery codes"
      description="Use a code once to sign in if you lose your phone. Save the codes in a safe place. They won't be shown again."
      footer={
        <>
          <Button
            onClick={() =>
              void copyText(codes.join("\n"), {
                copied: "Recovery codes copied",
                copyFailed: "Couldn't copy the codes",
              })
            }
          >
            Copy codes
          </Button>
          <Button kind="primary" onClick={onClose}>
            I've saved them
          </Button>
        </>
      }
    >
      <ul
        aria-label="Recovery codes"
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

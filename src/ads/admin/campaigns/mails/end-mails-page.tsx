import { useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { adminHandle } from "#web/features/admin/shared/admin-handle.ts";
import "#web/features/admin/shared/admin.css";
import { isGone } from "../is-gone.ts";
import { mailMessages as messages } from "./messages.ts";
import { endReportMail } from "./report-mail-calls.ts";

export const handle = adminHandle(messages.endTitle);

type State = "asked" | "busy" | "gone" | "failed" | { email: string };

/**
 * Unsubscribe page linked from report mails. Opening it changes nothing, because link scanners open
 * it too: the recipient presses a button. The key is in the URL fragment.
 */
export function Component() {
  const [state, setState] = useState<State>("asked");
  const end = async () => {
    setState("busy");
    try {
      setState(await endReportMail(window.location.hash.slice(1)));
    } catch (error) {
      console.warn("the mails were not ended", error);
      setState(isGone(error) ? "gone" : "failed");
    }
  };
  return (
    <main
      data-admin
      id="content"
      className="mx-auto grid max-w-md justify-items-start gap-4 p-4 pt-12 text-sm"
    >
      <h1 className="text-lg font-semibold tracking-tight">{messages.endTitle}</h1>
      {typeof state === "object" ? (
        <p role="status" className="break-words">
          {messages.ended(state.email)}
        </p>
      ) : state === "gone" ? (
        <p role="alert">{messages.endGone}</p>
      ) : (
        <>
          <p>{messages.endText}</p>
          {state === "failed" ? (
            <p role="alert" className="text-danger-text">
              {messages.endFailed}
            </p>
          ) : null}
          <Button kind="primary" disabled={state === "busy"} onClick={() => void end()}>
            {state === "busy" ? messages.ending : messages.end}
          </Button>
        </>
      )}
    </main>
  );
}

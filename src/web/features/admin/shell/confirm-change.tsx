import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { passkeyOptions } from "#contract/accounts/account.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { ApiError, call, callForEffect } from "#web/lib/api/http.ts";
import { accountQuery } from "../account/calls.ts";
import { confirmation } from "../shared/session-renewal.ts";

const sendPassword = (password: string): Promise<void> =>
  callForEffect("/api/account/confirm", { method: "POST", body: { password } });

/** Rejects with NotAllowedError if the user declines. */
async function usePasskeyOnce(): Promise<void> {
  const { options } = await call("/api/account/confirm/passkey", passkeyOptions, {
    method: "POST",
  });
  const { getPasskey } = await import("#web/lib/passkeys.ts");
  const response = await getPasskey(options);
  await callForEffect("/api/account/confirm", { method: "POST", body: { response } });
}

function failureText(failure: unknown): string {
  if (failure instanceof ApiError) return failure.issues[0]?.message ?? failure.message;
  if (failure instanceof Error && failure.name === "NotAllowedError")
    return "No passkey was used. Try again.";
  return "An error occurred. Please try again.";
}

/** Asks for the password or a passkey before access changes, then repeats the rejected call. */
export function ConfirmChange({ email }: { email: string }) {
  const isOpen = confirmation.useIsAsked();
  const account = useQuery({ ...accountQuery, enabled: isOpen });
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const end = (isDone: boolean) => {
    setPassword("");
    setError(null);
    confirmation.end(isDone);
  };
  const confirm = async (give: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await give();
      end(true);
    } catch (failure) {
      setError(failureText(failure));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void confirm(() => sendPassword(password));
  };
  const hasPasskey = (account.data?.passkeys.length ?? 0) > 0;

  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => end(false)}
      startsAt="#confirm-change [type=password]"
      size="small"
      title="Confirm it's you"
      description="This changes who has access to the site. You won't be asked again for 5 minutes."
      footer={
        <>
          <Button onClick={() => end(false)} disabled={isBusy}>
            Cancel
          </Button>
          {hasPasskey ? (
            <Button onClick={() => void confirm(usePasskeyOnce)} disabled={isBusy}>
              Use a passkey
            </Button>
          ) : null}
          <Button kind="primary" type="submit" form="confirm-change" disabled={isBusy}>
            {isBusy ? "Confirming..." : "Confirm"}
          </Button>
        </>
      }
    >
      <form id="confirm-change" onSubmit={submit}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={error}
          required
          hasMark={false}
        />
      </form>
    </Dialog>
  );
}

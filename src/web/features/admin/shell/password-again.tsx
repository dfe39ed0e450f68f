import { useState, type SubmitEvent } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { ApiError, callForEffect } from "#web/lib/api/http.ts";
import { passwordAgain } from "../shared/session-renewal.ts";

/** The password once more, before something that protects the account changes. */
export function PasswordAgain({ email }: { email: string }) {
  const isOpen = passwordAgain.useIsAsked();
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const end = (isDone: boolean) => {
    setPassword("");
    setError(null);
    passwordAgain.end(isDone);
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await callForEffect("/api/account/confirm", { method: "POST", body: { password } });
      end(true);
    } catch (failure) {
      setError(
        failure instanceof ApiError
          ? (failure.issues[0]?.message ?? failure.message)
          : "An error occurred. Please try again.",
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => end(false)}
      size="small"
      title="Confirm your password"
      description="This changes who can sign in, so the password is asked for again."
      footer={
        <>
          <Button onClick={() => end(false)} disabled={isBusy}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form="password-again" disabled={isBusy}>
            {isBusy ? "Confirming..." : "Confirm"}
          </Button>
        </>
      }
    >
      <form id="password-again" onSubmit={(event) => void submit(event)}>
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

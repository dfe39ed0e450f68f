import { useEffect, useState, type SubmitEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { ApiError, call, callForEffect } from "#web/lib/api/http.ts";
import { giveCode, refreshSession, signIn, signInWithPasskey } from "#web/lib/session-actions.ts";
import { passkeyOptions } from "#contract/accounts/account.ts";
import { endSignIn, useIsSignInAsked, confirmation } from "../shared/session-renewal.ts";
import { confirmDiscard } from "../shared/unsaved.ts";
import { accountQuery } from "../account/calls.ts";

const isDeclined = (failure: unknown) =>
  failure instanceof Error && failure.name === "NotAllowedError";

/** Returns the message of a failed sign-in, or null if the user declined to use a passkey. */
function signInFailure(failure: unknown): string | null {
  if (isDeclined(failure)) return null;
  if (failure instanceof ApiError) {
    if (failure.status === 401) return "Invalid credentials";
    if (failure.status === 400 || failure.status === 429) return failure.message;
  }
  return "An error occurred. Please try again.";
}

/** Sign-in dialog over the page, so that unsaved work is preserved. */
export function SignInAgain({ email }: { email: string }) {
  const isOpen = useIsSignInAsked();
  const [address, setAddress] = useState(email);
  const [password, setPassword] = useState("");
  /** Null in the first step. */
  const [code, setCode] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  // Another tab in which the user signs in again stores the same user, so this tab gets no event.
  useEffect(() => {
    if (!isOpen) return undefined;
    const check = () => void refreshSession().catch(() => undefined);
    window.addEventListener("focus", check);
    return () => window.removeEventListener("focus", check);
  }, [isOpen]);

  const close = async () => {
    // Closing opens the sign-in page.
    if (!(await confirmDiscard())) return;
    setError(null);
    endSignIn(false);
  };

  const attempt = async (run: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await run();
      setCode(null);
      setPassword("");
      endSignIn(true);
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "second_factor_needed") {
        setCode("");
        return;
      }
      if (failure instanceof ApiError && failure.code === "unauthenticated") setCode(null);
      setError(signInFailure(failure));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(() => (code === null ? signIn(address.trim(), password) : giveCode(code)));
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => void close()}
      startsAt="#sign-in-again [type=password]"
      size="small"
      title="Your session has ended"
      description="Sign in again to continue. Nothing on this page is lost."
      footer={
        <>
          <Button onClick={() => void close()} disabled={isBusy}>
            Cancel
          </Button>
          {"PublicKeyCredential" in window ? (
            <Button onClick={() => void attempt(signInWithPasskey)} disabled={isBusy}>
              Use a passkey
            </Button>
          ) : null}
          <Button kind="primary" type="submit" form="sign-in-again" disabled={isBusy}>
            {isBusy ? "Signing in..." : "Sign in"}
          </Button>
        </>
      }
    >
      <form id="sign-in-again" className="grid gap-4" onSubmit={submit}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          required
        />
        <TextField
          label="Password"
          type="password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="current-password"
          error={code === null ? error : null}
          required
        />
        {code === null ? null : (
          <TextField
            label="Code"
            hint="Six digits from your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            error={error}
            required
          />
        )}
      </form>
    </Dialog>
  );
}

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

function confirmFailure(failure: unknown): string {
  if (failure instanceof ApiError) return failure.issues[0]?.message ?? failure.message;
  if (isDeclined(failure)) return "No passkey was used. Try again.";
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
      setError(confirmFailure(failure));
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

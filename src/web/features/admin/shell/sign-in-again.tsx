import { useState, type SubmitEvent } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { giveCode, signIn } from "#web/lib/session-actions.ts";
import { endSignIn, useIsSignInAsked } from "../shared/session-renewal.ts";
import { confirmDiscard } from "../shared/unsaved.ts";

/** Sign-in dialog over the page, so that unsaved work is preserved. */
export function SignInAgain({ email }: { email: string }) {
  const isOpen = useIsSignInAsked();
  const [address, setAddress] = useState(email);
  const [password, setPassword] = useState("");
  /** Null in the first step. */
  const [code, setCode] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const close = async () => {
    // Closing opens the sign-in page.
    if (!(await confirmDiscard())) return;
    setError(null);
    endSignIn(false);
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      if (code === null) await signIn(address.trim(), password);
      else await giveCode(code);
      setCode(null);
      setPassword("");
      endSignIn(true);
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "second_factor_needed") {
        setCode("");
        return;
      }
      if (failure instanceof ApiError && failure.code === "unauthenticated") setCode(null);
      const isCodeInvalid = failure instanceof ApiError && failure.status === 400;
      const isRefused = failure instanceof ApiError && failure.status === 401;
      const isLimited = failure instanceof ApiError && failure.status === 429;
      setError(
        isRefused
          ? "Invalid credentials"
          : isLimited || isCodeInvalid
            ? failure.message
            : "An error occurred. Please try again.",
      );
    } finally {
      setBusy(false);
    }
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
          <Button kind="primary" type="submit" form="sign-in-again" disabled={isBusy}>
            {isBusy ? "Signing in..." : "Sign in"}
          </Button>
        </>
      }
    >
      <form id="sign-in-again" className="grid gap-4" onSubmit={(event) => void submit(event)}>
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

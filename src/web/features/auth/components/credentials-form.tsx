import { useEffect, useState, type SubmitEvent } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { authMessages as messages } from "../messages.ts";
import { FormError } from "./auth-frame.tsx";
import { PasswordField } from "./password-field.tsx";

/** Only shown if the browser and the site's address support passkeys. */
function PasskeyButton({ isBusy, onPasskey }: { isBusy: boolean; onPasskey: () => void }) {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => setOffered("PublicKeyCredential" in window), []);
  if (!isOffered) return null;
  return (
    <Button type="button" aria-disabled={isBusy} className="w-full" onClick={onPasskey}>
      {messages.passkey}
    </Button>
  );
}

export interface StepProps {
  next: string;
  isBusy: boolean;
  failure: string | null;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  onPasskey: () => void;
}

/** Form for the email and password. */
export function CredentialsForm({ next, isBusy, failure, onSubmit, onPasskey }: StepProps) {
  return (
    <form method="post" action="/api/auth/signin" onSubmit={onSubmit} className="space-y-5">
      <input type="hidden" name="next" value={next} />
      <TextField
        label={messages.email}
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        hasMark={false}
        required
      />
      <PasswordField
        label={messages.password}
        name="password"
        autoComplete="current-password"
        required
      />
      <FormError message={failure} />
      <Button type="submit" kind="primary" aria-disabled={isBusy} className="w-full">
        {isBusy ? messages.signingIn : messages.signIn}
      </Button>
      <PasskeyButton isBusy={isBusy} onPasskey={onPasskey} />
      <p className="text-center">
        <a
          href="/auth/forgot"
          className="inline-flex min-h-11 items-center text-sm text-ink-11 underline"
        >
          {messages.forgot}
        </a>
      </p>
    </form>
  );
}

/** Second step, which asks for a code from the authenticator app or a recovery code. */
export function CodeForm({ next, isBusy, failure, onSubmit, onPasskey }: StepProps) {
  return (
    <form method="post" action="/api/auth/second-factor" onSubmit={onSubmit} className="space-y-5">
      <input type="hidden" name="next" value={next} />
      <TextField
        label={messages.code}
        name="code"
        hint={messages.codeHint}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={100}
        hasMark={false}
        // The only field of this step. Focusing it lets the user continue typing.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        required
      />
      <FormError message={failure} />
      <Button type="submit" kind="primary" aria-disabled={isBusy} className="w-full">
        {isBusy ? messages.signingIn : messages.signIn}
      </Button>
      <PasskeyButton isBusy={isBusy} onPasskey={onPasskey} />
    </form>
  );
}

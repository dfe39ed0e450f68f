import type { SubmitEvent } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { authMessages as messages } from "../messages.ts";
import { FormError } from "./auth-frame.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { PasswordField } from "./password-field.tsx";

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

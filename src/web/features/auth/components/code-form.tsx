import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { authMessages as messages } from "../messages.ts";
import { FormError } from "./auth-frame.tsx";
import type { StepProps } from "./credentials-form.tsx";
import { PasskeyButton } from "./passkey-button.tsx";

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

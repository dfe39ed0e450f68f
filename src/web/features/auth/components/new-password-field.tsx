import { authMessages as messages } from "../messages.ts";
import { PasswordField } from "./password-field.tsx";

/** Field in which a user chooses a password. */
export function NewPasswordField({ label, error }: { label: string; error: string | null }) {
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete="new-password"
      minLength={8}
      maxLength={1000}
      required
      hint={messages.passwordHint}
      error={error}
    />
  );
}

import { EyeIcon, EyeOffIcon } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { Field } from "#web/components/ui/field.tsx";
import { authMessages as messages } from "../messages.ts";

/** Password field with a button that reveals the text. */
export function PasswordField({
  label,
  hint,
  error,
  ...input
}: { label: string; hint?: string; error?: string | null } & Omit<
  ComponentProps<"input">,
  "id" | "type"
>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      control={(attributes) => (
        <div className="relative">
          <input
            className="field pe-12"
            type={isShown ? "text" : "password"}
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...attributes}
          />
          <button
            type="button"
            aria-label={isShown ? messages.hidePassword : messages.showPassword}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 inset-e-0 flex w-11 items-center justify-center rounded-md text-ink-11 hover:text-ink-12"
          >
            {isShown ? <EyeOffIcon className="size-5" /> : <EyeIcon className="size-5" />}
          </button>
        </div>
      )}
    />
  );
}

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

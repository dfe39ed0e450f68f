import { useState, type ReactNode, type SubmitEvent } from "react";
import { useMutation, useQueryClient, useQuery } from "@tanstack/react-query";
import { TextField, SwitchField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { refreshSession } from "#web/lib/session-actions.ts";
import { Button } from "#web/components/ui/button.tsx";
import { conflictText } from "../shared/failure-text.ts";
import { notify } from "../shared/notices.tsx";
import { Section } from "../shared/section.tsx";
import { useUnsaved } from "../shared/unsaved.ts";
import { changeEmail, rename, accountKey, changePassword, tokensQuery } from "./calls.ts";

/**
 * Section of the account page with a form.
 * @param options.save sends the values.
 * @param options.children renders the fields with the error of the last attempt.
 */
function AccountForm(options: {
  title: string;
  action: string;
  isUnsaved: boolean;
  isComplete: boolean;
  save: () => Promise<unknown>;
  onSaved: () => unknown;
  texts: { saved: string; failed: string };
  children: (error: unknown) => ReactNode;
}) {
  const { texts } = options;
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: options.save,
    onSuccess: async () => {
      notify.success(texts.saved);
      await options.onSaved();
      await client.invalidateQueries({ queryKey: accountKey });
    },
    meta: { failure: texts.failed },
  });
  useUnsaved(options.isUnsaved);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Section title={options.title}>
      <form onSubmit={submit} className="grid justify-items-start gap-4">
        {options.children(saving.error)}
        <Button type="submit" disabled={saving.isPending || !options.isComplete}>
          {options.action}
        </Button>
      </form>
    </Section>
  );
}

export function NameForm({ name: saved }: { name: string }) {
  const [name, setName] = useState(saved);
  const isChanged = name.trim() !== saved;
  return (
    <AccountForm
      title="Profile"
      action="Save name"
      isUnsaved={isChanged}
      isComplete={isChanged}
      save={() => rename(name.trim())}
      onSaved={refreshSession}
      texts={{ saved: "Name saved", failed: "Failed to save the name" }}
    >
      {(error) => (
        <TextField
          label="Name"
          hint="Shown in the back office"
          className="w-full max-w-md"
          autoComplete="name"
          dir="auto"
          maxLength={100}
          value={name}
          error={issueOf(error, "name")}
          onChange={(event) => setName(event.target.value)}
        />
      )}
    </AccountForm>
  );
}

export function EmailForm({ email: saved }: { email: string }) {
  const [email, setEmail] = useState(saved);
  const isChanged = email.trim() !== saved;
  return (
    <AccountForm
      title="Email"
      action="Change email"
      isUnsaved={isChanged}
      isComplete={isChanged}
      save={() => changeEmail(email.trim())}
      onSaved={refreshSession}
      texts={{ saved: "Email changed", failed: "Failed to change the email" }}
    >
      {(error) => (
        <TextField
          label="Email"
          className="w-full max-w-md"
          type="email"
          autoComplete="username"
          maxLength={254}
          required
          hasMark={false}
          value={email}
          error={issueOf(error, "email") ?? conflictText(error)}
          onChange={(event) => setEmail(event.target.value)}
        />
      )}
    </AccountForm>
  );
}

export function PasswordForm() {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const [keepsTokens, setKeepsTokens] = useState(false);
  const tokens = useQuery(tokensQuery);
  return (
    <AccountForm
      title="Password"
      action="Change password"
      // The browser may have filled in the current password.
      isUnsaved={newPassword !== ""}
      isComplete={currentPassword !== "" && newPassword !== ""}
      save={() => changePassword({ currentPassword, newPassword, keepsTokens })}
      onSaved={() => {
        setCurrent("");
        setNew("");
      }}
      texts={{
        saved: "Password changed. You've been signed out everywhere else.",
        failed: "Failed to change the password",
      }}
    >
      {(error) => (
        <>
          <TextField
            label="Current password"
            className="w-full max-w-md"
            type="password"
            autoComplete="current-password"
            maxLength={1000}
            value={currentPassword}
            error={issueOf(error, "currentPassword")}
            onChange={(event) => setCurrent(event.target.value)}
          />
          <TextField
            label="New password"
            className="w-full max-w-md"
            type="password"
            autoComplete="new-password"
            minLength={8}
            maxLength={1000}
            hint="At least 8 characters. Common passwords aren't allowed."
            value={newPassword}
            error={issueOf(error, "newPassword")}
            onChange={(event) => setNew(event.target.value)}
          />
          {tokens.data === undefined || tokens.data.length === 0 ? null : (
            <SwitchField
              label="Keep API tokens"
              hint="Turn this on only if you created every token yourself."
              checked={keepsTokens}
              onChange={(event) => setKeepsTokens(event.target.checked)}
            />
          )}
        </>
      )}
    </AccountForm>
  );
}

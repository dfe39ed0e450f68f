import { useState } from "react";
import { TextField } from "#web/components/ui/field.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { refreshSession } from "#web/lib/session-actions.ts";
import { AccountForm } from "./account-form.tsx";
import { changeEmail, rename } from "./api/account-calls.ts";
import { accountMessages as messages } from "./messages.ts";

export function NameForm({ name: saved }: { name: string }) {
  const [name, setName] = useState(saved);
  const isChanged = name.trim() !== saved;
  return (
    <AccountForm
      title={messages.profile}
      action={messages.saveName}
      isUnsaved={isChanged}
      isComplete={isChanged}
      save={() => rename(name.trim())}
      onSaved={refreshSession}
      texts={{ saved: messages.nameSaved, failed: messages.nameFailed }}
    >
      {(error) => (
        <TextField
          label={messages.name}
          hint={messages.nameHint}
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

const takenText = (error: unknown) =>
  error instanceof ApiError && error.code === "conflict" ? error.serverMessage : null;

export function EmailForm({ email: saved }: { email: string }) {
  const [email, setEmail] = useState(saved);
  const isChanged = email.trim() !== saved;
  return (
    <AccountForm
      title={messages.email}
      action={messages.changeEmail}
      isUnsaved={isChanged}
      isComplete={isChanged}
      save={() => changeEmail(email.trim())}
      onSaved={refreshSession}
      texts={{ saved: messages.emailChanged, failed: messages.emailFailed }}
    >
      {(error) => (
        <TextField
          label={messages.email}
          className="w-full max-w-md"
          type="email"
          autoComplete="username"
          maxLength={254}
          required
          hasMark={false}
          value={email}
          error={issueOf(error, "email") ?? takenText(error)}
          onChange={(event) => setEmail(event.target.value)}
        />
      )}
    </AccountForm>
  );
}

import { useState } from "react";
import { TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { refreshSession } from "#web/lib/session-actions.ts";
import { conflictText } from "../shared/failure-text.ts";
import { AccountForm } from "./account-form.tsx";
import { changeEmail, rename } from "./calls.ts";

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

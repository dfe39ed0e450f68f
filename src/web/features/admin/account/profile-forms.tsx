import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/field.tsx";
import { ApiError } from "../../../lib/api/http.ts";
import { refreshSession } from "../../../lib/session.ts";
import { issueOf } from "../shared/failure-text.ts";
import { notify } from "../shared/notices.tsx";
import { Section } from "../shared/section.tsx";
import { useUnsaved } from "../shared/unsaved.ts";
import { accountKey, changeEmail, rename } from "./api/account-calls.ts";
import { accountMessages as messages } from "./messages.ts";

export function NameForm({ name: saved }: { name: string }) {
  const client = useQueryClient();
  const [name, setName] = useState(saved);
  const saving = useMutation({
    mutationFn: () => rename(name.trim()),
    onSuccess: async () => {
      notify.success(messages.nameSaved);
      await refreshSession();
      await client.invalidateQueries({ queryKey: accountKey });
    },
    meta: { failure: messages.nameFailed },
  });
  useUnsaved(name.trim() !== saved);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Section title={messages.profile}>
      <form onSubmit={submit} className="grid justify-items-start gap-4">
        <TextField
          label={messages.name}
          hint={messages.nameHint}
          className="w-full max-w-md"
          autoComplete="name"
          dir="auto"
          maxLength={100}
          value={name}
          error={issueOf(saving.error, "name")}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={saving.isPending || name.trim() === saved}>
          {messages.saveName}
        </Button>
      </form>
    </Section>
  );
}

export function EmailForm({ email: saved }: { email: string }) {
  const client = useQueryClient();
  const [email, setEmail] = useState(saved);
  const [currentPassword, setPassword] = useState("");
  const saving = useMutation({
    mutationFn: () => changeEmail({ email: email.trim(), currentPassword }),
    onSuccess: async () => {
      notify.success(messages.emailChanged);
      await refreshSession();
      await client.invalidateQueries({ queryKey: accountKey });
    },
    meta: { failure: messages.emailFailed },
  });
  useUnsaved(email.trim() !== saved);
  const { error } = saving;
  const taken = error instanceof ApiError && error.code === "conflict" ? error.serverMessage : null;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Section title={messages.email}>
      <form onSubmit={submit} className="grid justify-items-start gap-4">
        <TextField
          label={messages.email}
          className="w-full max-w-md"
          type="email"
          autoComplete="username"
          maxLength={254}
          required
          hasMark={false}
          value={email}
          error={issueOf(error, "email") ?? taken}
          onChange={(event) => setEmail(event.target.value)}
        />
        {email.trim() === saved ? null : (
          <TextField
            label={messages.currentPassword}
            className="w-full max-w-md"
            type="password"
            autoComplete="current-password"
            maxLength={1000}
            required
            hasMark={false}
            value={currentPassword}
            error={issueOf(error, "currentPassword")}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        <Button type="submit" disabled={saving.isPending || email.trim() === saved}>
          {messages.changeEmail}
        </Button>
      </form>
    </Section>
  );
}

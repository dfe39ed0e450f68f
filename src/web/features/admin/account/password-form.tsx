import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/field.tsx";
import { issueOf } from "../shared/failure-text.ts";
import { notify } from "../shared/notices.tsx";
import { Section } from "../shared/section.tsx";
import { useUnsaved } from "../shared/unsaved.ts";
import { accountKey, changePassword } from "./api/account-calls.ts";
import { accountMessages as messages } from "./messages.ts";

export function PasswordForm() {
  const client = useQueryClient();
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const saving = useMutation({
    mutationFn: () => changePassword({ currentPassword, newPassword }),
    onSuccess: async () => {
      notify.success(messages.passwordChanged);
      setCurrent("");
      setNew("");
      await client.invalidateQueries({ queryKey: accountKey });
    },
    meta: { failure: messages.passwordFailed },
  });
  // The browser may have filled in the current one.
  useUnsaved(newPassword !== "");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Section title={messages.password}>
      <form onSubmit={submit} className="grid justify-items-start gap-4">
        <TextField
          label={messages.currentPassword}
          className="w-full max-w-md"
          type="password"
          autoComplete="current-password"
          maxLength={1000}
          value={currentPassword}
          error={issueOf(saving.error, "currentPassword")}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <TextField
          label={messages.newPassword}
          className="w-full max-w-md"
          type="password"
          autoComplete="new-password"
          minLength={8}
          maxLength={1000}
          hint={messages.passwordHint}
          value={newPassword}
          error={issueOf(saving.error, "newPassword")}
          onChange={(event) => setNew(event.target.value)}
        />
        <Button
          type="submit"
          disabled={saving.isPending || currentPassword === "" || newPassword === ""}
        >
          {messages.changePassword}
        </Button>
      </form>
    </Section>
  );
}

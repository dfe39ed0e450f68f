import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { TextField } from "#web/components/ui/field.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { failureText } from "../shared/failure-text.ts";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { notify } from "../shared/notices.tsx";
import { addPasskey } from "./calls.ts";

/** Asks for a name, then lets the browser create the passkey. */
export function PasskeyDialog({
  onAdded,
  onClose,
}: {
  onAdded: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const adding = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: ({ recoveryCodes }) => {
      notify.success("Passkey added");
      onAdded(recoveryCodes);
    },
    onError: (error) =>
      notify.failure(
        error instanceof ApiError
          ? failureText("Failed to add the passkey", error)
          : "Your browser didn't create a passkey. Try again.",
      ),
  });
  return (
    <ModalForm
      size="small"
      title="Add a passkey"
      submitLabel="Add a passkey"
      busyLabel="Adding..."
      isBusy={adding.isPending}
      canSubmit={name.trim() !== ""}
      onSubmit={() => adding.mutateAsync()}
      onClose={onClose}
    >
      <TextField
        label="Passkey name"
        hint="For example, the name of your device"
        dir="auto"
        maxLength={100}
        required
        hasMark={false}
        value={name}
        error={issueOf(adding.error, "name")}
        onChange={(event) => setName(event.target.value)}
      />
    </ModalForm>
  );
}

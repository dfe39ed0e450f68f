import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedInvitation } from "#contract/accounts/people.ts";
import { accountRoles, type AccountRole } from "#contract/accounts/policy.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { copyText } from "../shared/copy-text.ts";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { invite, peopleKey } from "./api/people-calls.ts";
import { peopleMessages as messages } from "./messages.ts";
import { RoleField } from "./role-field.tsx";

/** Dialog that invites a user and then shows the link. */
export function InviteDialog({
  canInviteOwners,
  onCreated,
  onClose,
}: {
  canInviteOwners: boolean;
  onCreated: (created: CreatedInvitation) => void;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<AccountRole>("EDITOR");
  const inviting = useMutation({
    mutationFn: () => invite({ email: email.trim(), role: role === "USER" ? "ANALYST" : role }),
    onSuccess: onCreated,
    meta: { failure: messages.inviteFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: peopleKey }),
  });
  const { error } = inviting;
  const taken = error instanceof ApiError && error.code === "conflict" ? error.serverMessage : null;
  return (
    <ModalForm
      isOpen
      title={messages.inviteTitle}
      submitLabel={messages.invite}
      busyLabel={messages.inviting}
      isBusy={inviting.isPending}
      canSubmit={email.trim() !== ""}
      isDirty={email !== ""}
      onSubmit={() => inviting.mutate()}
      onClose={onClose}
    >
      <TextField
        label={messages.email}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={email}
        error={issueOf(error, "email") ?? taken}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RoleField
        value={role}
        onValue={setRole}
        choices={accountRoles.filter(
          (each) => each !== "USER" && (each !== "OWNER" || canInviteOwners),
        )}
      />
    </ModalForm>
  );
}

/** Shows the link of a new invitation. It can't be shown again. */
export function InvitationLink({
  created,
  onClose,
}: {
  created: CreatedInvitation;
  onClose: () => void;
}) {
  const { email } = created.invitation;
  const link = new URL(created.path, window.location.origin).href;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={messages.linkTitle}
      description={created.isMailed ? messages.mailedText(email) : messages.linkText(email)}
      footer={
        <>
          <Button onClick={() => void copyText(link, messages)}>{messages.copy}</Button>
          <Button kind="primary" onClick={onClose}>
            {messages.done}
          </Button>
        </>
      }
    >
      <TextField
        label={messages.linkTitle}
        isLabelHidden
        readOnly
        value={link}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  );
}

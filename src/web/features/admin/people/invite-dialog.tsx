import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedInvitation } from "#contract/accounts/people.ts";
import { accountRoles, type AccountRole } from "#contract/accounts/policy.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { CopyDialog } from "../shared/copy-dialog.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { conflictText } from "../shared/failure-text.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { invite, peopleKey } from "./calls.ts";
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
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<AccountRole>("EDITOR");
  const inviting = useMutation({
    mutationFn: () => invite({ email: email.trim(), role: role === "USER" ? "ANALYST" : role }),
    onSuccess: onCreated,
    meta: { failure: "Failed to invite", refreshes: peopleKey },
  });
  const { error } = inviting;
  return (
    <ModalForm
      title="Invite to the back office"
      submitLabel="Invite"
      busyLabel="Inviting..."
      isBusy={inviting.isPending}
      canSubmit={email.trim() !== ""}
      isDirty={email !== ""}
      onSubmit={() => inviting.mutateAsync()}
      onClose={onClose}
    >
      <TextField
        label="Email"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={email}
        error={issueOf(error, "email") ?? conflictText(error)}
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
  return (
    <CopyDialog
      title="Invitation link"
      description={
        created.isMailed
          ? `We emailed this link to ${email}. It works once and expires in 7 days.`
          : `Send this link to ${email}. It works once, expires in 7 days and won't be shown again.`
      }
      value={new URL(created.path, window.location.origin).href}
      copyLabel="Copy link"
      messages={{ copied: "Invitation link copied", copyFailed: "Couldn't copy the link" }}
      onClose={onClose}
    />
  );
}

import { useMutation } from "@tanstack/react-query";
import { LinkIcon, XIcon } from "lucide-react";
import type { CreatedInvitation, Invitation } from "#contract/accounts/people.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { IconButton } from "../shared/icon-button.tsx";
import { dayWords, isPast } from "../shared/moments.ts";
import { invite, peopleKey, withdraw } from "./calls.ts";
import { roleNames } from "./role-field.tsx";

/** Invitations that haven't been accepted yet. */
export function InvitationTable({
  invitations,
  onCreated,
}: {
  invitations: readonly Invitation[];
  onCreated: (created: CreatedInvitation) => void;
}) {
  const withdrawing = useMutation({
    mutationFn: ({ id }: Invitation) => withdraw(id),
    meta: {
      success: "Invitation withdrawn",
      failure: "Failed to withdraw the invitation",
      refreshes: peopleKey,
    },
  });
  const renewing = useMutation({
    mutationFn: ({ email, role }: Invitation) =>
      invite({ email, role: role === "USER" ? "ANALYST" : role }),
    onSuccess: onCreated,
    meta: { failure: "Failed to invite", refreshes: peopleKey },
  });
  const columns: Column<Invitation>[] = [
    {
      id: "email",
      title: "Email",
      cell: ({ email, invitedBy }) => (
        <div className="min-w-0">
          <p className="font-medium break-all">{email}</p>
          {invitedBy === null ? null : (
            <p className="text-ink-11 break-all">{`Invited by ${invitedBy}`}</p>
          )}
        </div>
      ),
    },
    { id: "role", title: "Role", cell: ({ role }) => <Badge>{roleNames[role]}</Badge> },
    {
      id: "expires",
      title: "Valid until",
      cell: ({ expiresAt }) => (
        <span className="text-ink-11">{isPast(expiresAt) ? "Expired" : dayWords(expiresAt)}</span>
      ),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (invitation) => (
        <div className="-mx-2 flex">
          <IconButton
            Icon={LinkIcon}
            label={`New link for ${invitation.email}`}
            onClick={() => renewing.mutate(invitation)}
          />
          <IconButton
            Icon={XIcon}
            isDanger
            label={`Withdraw ${invitation.email}`}
            onClick={() => withdrawing.mutate(invitation)}
          />
        </div>
      ),
    },
  ];
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-base font-semibold">Open invitations</h2>
      <DataTable
        label="Open invitations"
        columns={columns}
        rows={invitations}
        rowId={({ id }) => id}
        empty={null}
      />
    </section>
  );
}

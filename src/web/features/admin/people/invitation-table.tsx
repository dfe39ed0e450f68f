import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LinkIcon, XIcon } from "lucide-react";
import type { CreatedInvitation, Invitation } from "#contract/accounts/people.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { IconButton } from "../shared/icon-button.tsx";
import { dayWords, isPast } from "../shared/moments.ts";
import { notify } from "../shared/notices.tsx";
import { invite, peopleKey, withdraw } from "./api/people-calls.ts";
import { peopleMessages as messages, roleNames } from "./messages.ts";

/** Invitations that haven't been accepted yet. */
export function InvitationTable({
  invitations,
  onCreated,
}: {
  invitations: readonly Invitation[];
  onCreated: (created: CreatedInvitation) => void;
}) {
  const client = useQueryClient();
  const onSettled = () => void client.invalidateQueries({ queryKey: peopleKey });
  const withdrawing = useMutation({
    mutationFn: ({ id }: Invitation) => withdraw(id),
    onSuccess: () => notify.success(messages.withdrawn),
    meta: { failure: messages.withdrawFailed },
    onSettled,
  });
  const renewing = useMutation({
    mutationFn: ({ email, role }: Invitation) =>
      invite({ email, role: role === "USER" ? "ANALYST" : role }),
    onSuccess: onCreated,
    meta: { failure: messages.inviteFailed },
    onSettled,
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
      title: messages.validUntil,
      cell: ({ expiresAt }) => (
        <span className="text-ink-11">
          {isPast(expiresAt) ? (
            messages.expired
          ) : (
            <>
              <span className="md:hidden">{messages.validUntil} </span>
              {dayWords(expiresAt)}
            </>
          )}
        </span>
      ),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (invitation) => (
        <div className="-mx-2 flex">
          <IconButton
            label={`${messages.renew} for ${invitation.email}`}
            onClick={() => renewing.mutate(invitation)}
          >
            <LinkIcon aria-hidden="true" className="size-4" />
          </IconButton>
          <IconButton
            isDanger
            label={`${messages.withdraw} ${invitation.email}`}
            onClick={() => withdrawing.mutate(invitation)}
          >
            <XIcon aria-hidden="true" className="size-4" />
          </IconButton>
        </div>
      ),
    },
  ];
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-base font-semibold">{messages.invitations}</h2>
      <DataTable
        label={messages.invitations}
        columns={columns}
        rows={invitations}
        rowId={({ id }) => id}
        empty={null}
      />
    </section>
  );
}

import { useMutation, useQuery } from "@tanstack/react-query";
import type { Person } from "#contract/accounts/people.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { SessionList } from "../shared/session-list.tsx";
import { endAllSessions, endSession, peopleKey, personSessionsQuery } from "./calls.ts";
import { QueryError } from "../shared/query-error.tsx";

/** Lists the sessions of a user, with buttons to end them. */
export function SessionsDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const list = useQuery(personSessionsQuery(person.id));
  const ending = useMutation({
    mutationFn: (id: string | null) =>
      id === null ? endAllSessions(person.id) : endSession(person.id, id),
    meta: { success: "Session ended", failure: "Failed to end the session", refreshes: peopleKey },
  });
  const endAll = async () => {
    if (
      await confirmAction(
        `Sign ${person.email} out everywhere? Their API tokens will be revoked too.`,
        "Sign out everywhere",
        "danger",
      )
    )
      ending.mutate(null);
  };
  return (
    <Dialog
      onClose={onClose}
      title="Sessions"
      description={person.email}
      footer={
        <>
          <Button onClick={() => void endAll()} disabled={list.data?.length === 0}>
            Sign out everywhere
          </Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {list.isError ? (
        <QueryError message="Failed to load the users" query={list} />
      ) : (
        <SessionList
          sessions={list.data}
          isBusy={ending.isPending}
          onEnd={(id) => ending.mutate(id)}
        />
      )}
    </Dialog>
  );
}

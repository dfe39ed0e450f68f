import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Person } from "#contract/accounts/people.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { notify } from "../shared/notices.tsx";
import { SessionList } from "../shared/session-list.tsx";
import { endAllSessions, endSession, peopleKey, personSessionsQuery } from "./api/people-calls.ts";
import { peopleMessages as messages } from "./messages.ts";
import { QueryError } from "../shared/query-error.tsx";

/** Lists the sessions of a user, with buttons to end them. */
export function SessionsDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const client = useQueryClient();
  const list = useQuery(personSessionsQuery(person.id));
  const ending = useMutation({
    mutationFn: (id: string | null) =>
      id === null ? endAllSessions(person.id) : endSession(person.id, id),
    onSuccess: () => notify.success(messages.ended),
    meta: { failure: messages.endFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: peopleKey }),
  });
  const endAll = async () => {
    const options = { confirmLabel: messages.endAll, isDanger: true };
    if (await confirmAction(messages.askEndAll(person.email), options)) ending.mutate(null);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={messages.sessions}
      description={person.email}
      footer={
        <>
          <Button onClick={() => void endAll()} disabled={list.data?.length === 0}>
            {messages.endAll}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {messages.done}
          </Button>
        </>
      }
    >
      {list.isError ? (
        <QueryError message={messages.loadFailed} query={list} />
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

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { signOut } from "#web/lib/session-actions.ts";
import { notify } from "../shared/notices.tsx";
import { QueryError } from "../shared/query-error.tsx";
import { Section } from "../shared/section.tsx";
import { SessionList } from "../shared/session-list.tsx";
import {
  accountKey,
  endAllOwnSessions,
  endOwnSession,
  ownSessionsQuery,
} from "./api/account-calls.ts";
import { accountMessages as messages } from "./messages.ts";

/** Signs out and opens the sign-in page. */
async function leave(): Promise<void> {
  await signOut().catch(() => undefined);
  window.location.assign("/auth/signin");
}

export function OwnSessions() {
  const client = useQueryClient();
  const list = useQuery(ownSessionsQuery);
  const ending = useMutation({
    mutationFn: (id: string | null) => (id === null ? endAllOwnSessions() : endOwnSession(id)),
    onSuccess: async (_, id) => {
      const isCurrentSession = id === null || list.data?.find((each) => each.id === id)?.isCurrent;
      if (isCurrentSession === true) return leave();
      notify.success(messages.sessionEnded);
      await client.invalidateQueries({ queryKey: accountKey });
    },
    meta: { failure: messages.sessionFailed },
  });
  const endAll = async () => {
    const options = { confirmLabel: messages.signOutEverywhere, isDanger: true };
    if (await confirmAction(messages.askSignOut, options)) ending.mutate(null);
  };
  return (
    <Section title={messages.sessions} hint={messages.sessionsHint}>
      {list.isError ? (
        <QueryError message={messages.sessionsFailed} query={list} />
      ) : (
        <SessionList
          sessions={list.data}
          isBusy={ending.isPending}
          onEnd={(id) => ending.mutate(id)}
        />
      )}
      <div>
        <Button onClick={() => void endAll()}>{messages.signOutEverywhere}</Button>
      </div>
    </Section>
  );
}

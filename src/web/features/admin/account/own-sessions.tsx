import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { signOut } from "#web/lib/session-actions.ts";
import { notify } from "../shared/notices.tsx";
import { QueryError } from "../shared/query-error.tsx";
import { Section } from "../shared/section.tsx";
import { SessionList } from "../shared/session-list.tsx";
import { accountKey, endAllOwnSessions, endOwnSession, ownSessionsQuery } from "./calls.ts";

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
      notify.success("Session ended");
      await client.invalidateQueries({ queryKey: accountKey });
    },
    meta: { failure: "Failed to end the session" },
  });
  const endAll = async () => {
    if (
      await confirmAction(
        "Sign out everywhere, including here? Your API tokens will be revoked too.",
        "Sign out everywhere",
        "danger",
      )
    )
      ending.mutate(null);
  };
  return (
    <Section title="Sessions" hint="Devices where you're signed in.">
      {list.isError ? (
        <QueryError message="Failed to load your sessions" query={list} />
      ) : (
        <SessionList
          sessions={list.data}
          isBusy={ending.isPending}
          onEnd={(id) => ending.mutate(id)}
        />
      )}
      <div>
        <Button onClick={() => void endAll()}>Sign out everywhere</Button>
      </div>
    </Section>
  );
}

import { useQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { signOut } from "#web/lib/session-actions.ts";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { notify } from "../shared/notices.tsx";
import { Section } from "../shared/section.tsx";
import { SessionList } from "../shared/session-list.tsx";
import { useDiscardUploads } from "../upload/queue-context.tsx";
import {
  accountQuery,
  accountKey,
  endAllOwnSessions,
  endOwnSession,
  ownSessionsQuery,
} from "./calls.ts";
import { FactorSection } from "./factor-section.tsx";
import { EmailForm, NameForm, PasswordForm } from "./profile-forms.tsx";
import { TokenSection } from "./token-section.tsx";

/** Signs out and opens the sign-in page. */
async function leave(): Promise<void> {
  await signOut().catch(() => undefined);
  window.location.assign("/auth/signin");
}

function OwnSessions() {
  const client = useQueryClient();
  const list = useQuery(ownSessionsQuery);
  const discardUploads = useDiscardUploads();
  const isCurrentSession = (id: string | null) =>
    id === null || list.data?.find((each) => each.id === id)?.isCurrent === true;
  const ending = useMutation({
    mutationFn: (id: string | null) => (id === null ? endAllOwnSessions() : endOwnSession(id)),
    onSuccess: async (_, id) => {
      if (isCurrentSession(id)) return leave();
      notify.success("Session ended");
      await client.invalidateQueries({ queryKey: accountKey });
    },
    meta: { failure: "Failed to end the session" },
  });
  const end = async (id: string | null) => {
    if (!isCurrentSession(id) || (await discardUploads())) ending.mutate(id);
  };
  const endAll = async () => {
    if (
      await confirmAction(
        "Sign out everywhere, including here? Your API tokens will be revoked too.",
        "Sign out everywhere",
        "danger",
      )
    )
      await end(null);
  };
  return (
    <Section title="Sessions" hint="Devices where you're signed in.">
      {list.isLoadingError ? (
        <QueryError message="Failed to load your sessions" query={list} />
      ) : (
        <SessionList sessions={list.data} isBusy={ending.isPending} onEnd={(id) => void end(id)} />
      )}
      <div>
        <Button onClick={() => void endAll()}>Sign out everywhere</Button>
      </div>
    </Section>
  );
}

export const handle = adminHandle("Your account");

/** Page on which users manage their own account. */
export function Component() {
  const query = useQuery(accountQuery);
  const account = query.data;
  return (
    <>
      <PageHeader title="Your account" />
      {query.isLoadingError ? (
        <QueryError message="Failed to load your account" query={query} />
      ) : account === undefined ? (
        <Spinner label="Loading" />
      ) : (
        <div className="grid items-start gap-x-10 gap-y-8 xl:grid-cols-2">
          <div className="grid min-w-0 gap-8">
            <NameForm key={account.name} name={account.name} />
            <EmailForm key={account.email} email={account.email} />
            <PasswordForm />
          </div>
          <div className="grid min-w-0 gap-8">
            <FactorSection account={account} />
            <OwnSessions />
            <TokenSection />
          </div>
        </div>
      )}
    </>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { AnyApiToken } from "#contract/accounts/api-tokens.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { dayWords, sinceWords } from "../shared/moments.ts";
import { notify } from "../shared/notices.tsx";
import { QueryError } from "../shared/query-error.tsx";
import { TokenState } from "../shared/token-state.tsx";
import { allTokensQuery, peopleKey, revokeToken } from "./api/people-calls.ts";
import { peopleMessages as messages } from "./messages.ts";

/** API tokens of every user, for owners. */
export function TokenTable() {
  const client = useQueryClient();
  const list = useQuery(allTokensQuery);
  const revoking = useMutation({
    mutationFn: ({ id }: AnyApiToken) => revokeToken(id),
    onSuccess: () => notify.success(messages.revoked),
    meta: { failure: messages.revokeFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: peopleKey }),
  });
  const revoke = async (token: AnyApiToken) => {
    const options = { confirmLabel: messages.revoke, isDanger: true };
    const question = messages.askRevoke(token.name, token.userEmail);
    if (await confirmAction(question, options)) revoking.mutate(token);
  };
  const columns: Column<AnyApiToken>[] = [
    {
      id: "token",
      title: "Token",
      cell: (token) => (
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
            <bdi className="min-w-0 wrap-anywhere">{token.name}</bdi>
            <TokenState expiresAt={token.expiresAt} />
          </p>
          <p className="text-ink-11 wrap-anywhere">{token.scopes.join(", ")}</p>
        </div>
      ),
    },
    {
      id: "user",
      title: "User",
      isGrowing: true,
      cell: ({ userEmail }) => <span className="break-all">{userEmail}</span>,
    },
    {
      id: "used",
      title: "Last used",
      onPhone: "hide",
      cell: ({ lastUsedAt }) => (
        <span className="text-ink-11">
          {lastUsedAt === null ? messages.never : sinceWords(lastUsedAt)}
        </span>
      ),
    },
    {
      id: "expires",
      title: messages.validUntil,
      cell: ({ expiresAt }) => (
        <span className="text-ink-11">
          <span className="md:hidden">{messages.validUntil} </span>
          {dayWords(expiresAt)}
        </span>
      ),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (token) => (
        <Button
          size="small"
          aria-label={`${messages.revoke} ${token.name} of ${token.userEmail}`}
          onClick={() => void revoke(token)}
        >
          {messages.revoke}
        </Button>
      ),
    },
  ];
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-base font-semibold">{messages.tokens}</h2>
      {list.isError ? (
        <QueryError message={messages.tokensFailed} query={list} />
      ) : (
        <DataTable
          label={messages.tokens}
          columns={columns}
          rows={list.data}
          rowId={({ id }) => id}
          skeletonRows={1}
          empty={<EmptyState title={messages.noTokens} />}
        />
      )}
    </section>
  );
}

import { useMutation, useQuery } from "@tanstack/react-query";
import type { AnyApiToken } from "#contract/accounts/api-tokens.ts";
import { describeScopes } from "#contract/accounts/policy.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { dayWords, sinceWords } from "../shared/moments.ts";
import { TokenState } from "../shared/token-state.tsx";
import { allTokensQuery, peopleKey, revokeToken } from "./calls.ts";

/** API tokens of every user, for owners. */
export function TokenTable() {
  const list = useQuery(allTokensQuery);
  const revoking = useMutation({
    mutationFn: ({ id }: AnyApiToken) => revokeToken(id),
    meta: { success: "Token revoked", failure: "Failed to revoke the token", refreshes: peopleKey },
  });
  const revoke = async (token: AnyApiToken) => {
    const question = `Revoke the token ${token.name} from ${token.userEmail}? Programs that use it will stop working.`;
    if (await confirmAction(question, "Revoke", "danger")) revoking.mutate(token);
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
          <p className="text-ink-11 wrap-anywhere">{describeScopes(token.scopes)}</p>
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
      cell: ({ lastUsedAt }) => (
        <span className="text-ink-11">
          {lastUsedAt === null ? "Never" : sinceWords(lastUsedAt)}
        </span>
      ),
    },
    {
      id: "expires",
      title: "Valid until",
      cell: ({ expiresAt }) => <span className="text-ink-11">{dayWords(expiresAt)}</span>,
    },
    {
      id: "actions",
      title: "Actions",
      cell: (token) => (
        <Button
          size="small"
          aria-label={`Revoke ${token.name} of ${token.userEmail}`}
          onClick={() => void revoke(token)}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-base font-semibold">API tokens</h2>
      <DataTable
        query={list}
        failed="Failed to load the API tokens"
        label="API tokens"
        columns={columns}
        rows={list.data}
        rowId={({ id }) => id}
        skeletonRows={1}
        empty={<p className="text-ink-11">No user has an API token.</p>}
      />
    </section>
  );
}

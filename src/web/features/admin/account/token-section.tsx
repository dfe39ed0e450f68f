import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiToken } from "#contract/accounts/api-tokens.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { CopyDialog } from "../shared/copy-dialog.tsx";
import { dayWords, sinceWords } from "../shared/moments.ts";
import { QueryError } from "../shared/query-error.tsx";
import { Section } from "../shared/section.tsx";
import { TokenState } from "../shared/token-state.tsx";
import { removeToken, tokensQuery } from "./calls.ts";
import { TokenDialog } from "./token-dialog.tsx";

function describe({ expiresAt, lastUsedAt, scopes }: ApiToken): string {
  const used = lastUsedAt === null ? "never used" : `last used ${sinceWords(lastUsedAt)}`;
  return `${scopes.join(", ")} · until ${dayWords(expiresAt)} · ${used}`;
}

/** API tokens that let programs act for this user. */
export function TokenSection() {
  const client = useQueryClient();
  const list = useQuery(tokensQuery);
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const refresh = () => void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
  const removing = useMutation({
    mutationFn: ({ id }: ApiToken) => removeToken(id),
    meta: {
      success: "Token removed",
      failure: "Failed to remove the token",
      refreshes: tokensQuery.queryKey,
    },
  });
  const remove = async (token: ApiToken) => {
    if (
      await confirmAction(
        `Remove the token ${token.name}? Programs that use it will stop working.`,
        "Remove",
        "danger",
      )
    )
      removing.mutate(token);
  };
  return (
    <Section
      title="API tokens"
      hint="Tokens let programs act on your behalf with the permissions you choose."
    >
      {list.isError ? <QueryError message="Failed to load your tokens" query={list} /> : null}
      {list.data === undefined || list.data.length === 0 ? null : (
        <ul className="divide-y divide-line">
          {list.data.map((token) => (
            <li key={token.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
              <div className="min-w-0 flex-1 basis-52">
                <p className="flex flex-wrap items-center gap-2 font-medium break-words">
                  <bdi className="min-w-0 break-words">{token.name}</bdi>
                  <TokenState expiresAt={token.expiresAt} />
                </p>
                <p className="text-ink-11 break-words">{describe(token)}</p>
              </div>
              <Button
                size="small"
                aria-label={`Remove ${token.name}`}
                onClick={() => void remove(token)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button onClick={() => setCreating(true)}>New token</Button>
      </div>
      {isCreating ? (
        <TokenDialog
          onCreated={(token) => {
            refresh();
            setCreating(false);
            setShown(token);
          }}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {shown === null ? null : (
        <CopyDialog
          title="New token"
          description="Copy it now. It won't be shown again. Programs send it in the Authorization: Bearer header."
          value={shown}
          className="font-mono"
          copyLabel="Copy token"
          messages={{ copied: "Token copied", copyFailed: "Couldn't copy the token" }}
          onClose={() => setShown(null)}
        />
      )}
    </Section>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiToken } from "#contract/accounts/api-tokens.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { dayWords, sinceWords } from "../shared/moments.ts";
import { notify } from "../shared/notices.tsx";
import { QueryError } from "../shared/query-error.tsx";
import { Section } from "../shared/section.tsx";
import { TokenState } from "../shared/token-state.tsx";
import { removeToken, tokensQuery } from "./api/account-calls.ts";
import { tokenMessages as messages } from "./messages.ts";
import { TokenDialog, TokenShown } from "./token-dialog.tsx";

function describe({ expiresAt, lastUsedAt, scopes }: ApiToken): string {
  const used = lastUsedAt === null ? messages.unused : messages.used(sinceWords(lastUsedAt));
  return `${scopes.join(", ")} · ${messages.until(dayWords(expiresAt))} · ${used}`;
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
    onSuccess: () => notify.success(messages.removed),
    meta: { failure: messages.removeFailed },
    onSettled: refresh,
  });
  const remove = async (token: ApiToken) => {
    const options = { confirmLabel: "Remove", isDanger: true };
    if (await confirmAction(messages.askRemove(token.name), options)) removing.mutate(token);
  };
  return (
    <Section title={messages.title} hint={messages.hint}>
      {list.isError ? <QueryError message={messages.loadFailed} query={list} /> : null}
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
        <Button onClick={() => setCreating(true)}>{messages.create}</Button>
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
      {shown === null ? null : <TokenShown token={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}

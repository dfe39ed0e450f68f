import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  defaultTokenDays,
  tokenDays,
  tokenScopes,
  type ApiToken,
} from "#contract/accounts/api-tokens.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { describeAction, describeScopes, type Action } from "#contract/accounts/policy.ts";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { CopyDialog } from "../shared/copy-dialog.tsx";
import { dayWords, sinceWords } from "../shared/moments.ts";
import { QueryError, useCan } from "../shared/admin-page.tsx";
import { Section } from "../shared/section.tsx";
import { TokenState } from "../shared/token-state.tsx";
import { CheckList } from "../shared/check-list.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { removeToken, tokensQuery, createToken } from "./calls.ts";

/** Asks for the name, permissions and expiry of a new token. */
function TokenDialog({
  onCreated,
  onClose,
}: {
  onCreated: (token: string) => void;
  onClose: () => void;
}) {
  const can = useCan();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Action[]>([]);
  const [days, setDays] = useState<(typeof tokenDays)[number]>(defaultTokenDays);
  const creating = useMutation({
    mutationFn: () => createToken({ name: name.trim(), scopes: [...scopes], days }),
    onSuccess: ({ token }) => onCreated(token),
    meta: { failure: "Failed to create the token" },
  });
  return (
    <ModalForm
      title="New token"
      submitLabel="New token"
      busyLabel="Creating..."
      isBusy={creating.isPending}
      canSubmit={name.trim() !== "" && scopes.length > 0}
      isDirty={name !== "" || scopes.length > 0}
      onSubmit={() => creating.mutateAsync()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="The program that uses this token"
        dir="auto"
        maxLength={100}
        required
        value={name}
        error={issueOf(creating.error, "name")}
        onChange={(event) => setName(event.target.value)}
      />
      <CheckList
        legend="Permissions"
        options={tokenScopes.filter(can).map((value) => ({ value, label: describeAction(value) }))}
        chosen={scopes}
        onChosen={setScopes}
      />
      <SelectField
        label="Valid for"
        value={String(days)}
        onChange={(event) =>
          setDays(tokenDays.find((each) => String(each) === event.target.value) ?? defaultTokenDays)
        }
        options={tokenDays.map((each) => ({
          value: String(each),
          label: each === 365 ? "a year" : `${each} days`,
        }))}
      />
    </ModalForm>
  );
}

function describe({ expiresAt, lastUsedAt, scopes }: ApiToken): string {
  const used = lastUsedAt === null ? "never used" : `last used ${sinceWords(lastUsedAt)}`;
  return `${describeScopes(scopes)} · until ${dayWords(expiresAt)} · ${used}`;
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

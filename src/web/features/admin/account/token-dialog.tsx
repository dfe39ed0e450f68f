import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { defaultTokenDays, tokenDays, tokenScopes } from "#contract/accounts/api-tokens.ts";
import { describeAction, type Action } from "#contract/accounts/policy.ts";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { CheckList } from "../shared/check-list.tsx";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { useCan } from "../shared/use-can.ts";
import { createToken } from "./calls.ts";

/** Asks for the name, permissions and expiry of a new token. */
export function TokenDialog({
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

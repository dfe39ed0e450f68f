import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { defaultTokenDays, tokenDays, tokenScopes } from "#contract/accounts/api-tokens.ts";
import { describeAction, type Action } from "#contract/accounts/policy.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { CheckList } from "../shared/check-list.tsx";
import { copyText } from "../shared/copy-text.ts";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { useCan } from "../shared/use-can.ts";
import { createToken } from "./api/account-calls.ts";
import { tokenMessages as messages } from "./messages.ts";

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
    meta: { failure: messages.createFailed },
  });
  return (
    <ModalForm
      isOpen
      title={messages.create}
      submitLabel={messages.create}
      busyLabel={messages.creating}
      isBusy={creating.isPending}
      canSubmit={name.trim() !== "" && scopes.length > 0}
      isDirty={name !== "" || scopes.length > 0}
      onSubmit={() => creating.mutate()}
      onClose={onClose}
    >
      <TextField
        label={messages.name}
        hint={messages.nameHint}
        dir="auto"
        maxLength={100}
        required
        value={name}
        error={issueOf(creating.error, "name")}
        onChange={(event) => setName(event.target.value)}
      />
      <CheckList
        legend={messages.scopes}
        options={tokenScopes.filter(can).map((value) => ({ value, label: describeAction(value) }))}
        chosen={scopes}
        onChosen={setScopes}
      />
      <SelectField
        label={messages.days}
        value={String(days)}
        onChange={(event) =>
          setDays(tokenDays.find((each) => String(each) === event.target.value) ?? defaultTokenDays)
        }
        options={tokenDays.map((each) => ({ value: String(each), label: messages.forDays(each) }))}
      />
    </ModalForm>
  );
}

/** Shows a new token. It can't be shown again. */
export function TokenShown({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={messages.shownTitle}
      description={messages.shownText}
      footer={
        <>
          <Button onClick={() => void copyText(token, messages)}>{messages.copy}</Button>
          <Button kind="primary" onClick={onClose}>
            {messages.done}
          </Button>
        </>
      }
    >
      <TextField
        label={messages.shownTitle}
        isLabelHidden
        readOnly
        className="font-mono"
        value={token}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  );
}

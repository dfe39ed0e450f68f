import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Account, Passkey } from "#contract/accounts/account.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { sinceWords } from "../shared/moments.ts";
import { notify } from "../shared/notices.tsx";
import { Section } from "../shared/section.tsx";
import { accountKey, removePasskey, removeTotp, renewRecoveryCodes } from "./api/account-calls.ts";
import { AppDialog } from "./app-dialog.tsx";
import { CodesDialog } from "./codes-dialog.tsx";
import { accountMessages as messages } from "./messages.ts";
import { PasskeyDialog } from "./passkey-dialog.tsx";

type Open = { kind: "app" | "passkey" } | { kind: "codes"; codes: readonly string[] };

/** Lists the second factors of the account. */
export function FactorSection({ account }: { account: Account }) {
  const client = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const hasFactor = account.hasTotp || account.passkeys.length > 0;

  const refresh = () => void client.invalidateQueries({ queryKey: accountKey });
  const change = useMutation({
    mutationFn: ({ run }: { run: () => Promise<void>; done: string }) => run(),
    onSuccess: (_, { done }) => notify.success(done),
    meta: { failure: messages.appFailed },
    onSettled: refresh,
  });
  const renewing = useMutation({
    mutationFn: renewRecoveryCodes,
    onSuccess: ({ recoveryCodes }) => setOpen({ kind: "codes", codes: recoveryCodes }),
    meta: { failure: messages.renewFailed },
    onSettled: refresh,
  });
  /** Shows the recovery codes, which exist only if this is the first factor. */
  const added = (codes: readonly string[]) => {
    refresh();
    setOpen(codes.length > 0 ? { kind: "codes", codes } : null);
  };
  const removeApp = async () => {
    const options = { confirmLabel: messages.removeApp, isDanger: true };
    if (await confirmAction(messages.askRemoveApp, options)) {
      change.mutate({ run: removeTotp, done: messages.appRemoved });
    }
  };
  const removeKey = async ({ id, name }: Passkey) => {
    const options = { confirmLabel: "Remove", isDanger: true };
    if (await confirmAction(messages.askRemovePasskey(name), options)) {
      change.mutate({ run: () => removePasskey(id), done: messages.passkeyRemoved });
    }
  };
  const renew = async () => {
    if (await confirmAction(messages.askRenew, { confirmLabel: messages.renew })) renewing.mutate();
  };

  return (
    <Section title={messages.factors} hint={messages.factorsHint}>
      {account.isSecondFactorRequired && !hasFactor ? (
        <p role="alert" className="rounded-md bg-lamp-soft px-4 py-3 font-medium text-lamp-text">
          {messages.required}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="font-medium">{messages.app}</h3>
        <Badge tone={account.hasTotp ? "done" : "neutral"}>
          {account.hasTotp ? messages.appOn : messages.appOff}
        </Badge>
        <Button
          size="small"
          className="ms-auto"
          onClick={() => (account.hasTotp ? void removeApp() : setOpen({ kind: "app" }))}
        >
          {account.hasTotp ? messages.removeApp : messages.addApp}
        </Button>
      </div>
      <div>
        <div className="flex flex-wrap items-center gap-3">
          <h3 className="font-medium">{messages.passkeys}</h3>
          <Button size="small" className="ms-auto" onClick={() => setOpen({ kind: "passkey" })}>
            {messages.addPasskey}
          </Button>
        </div>
        <p className="mt-1 text-ink-11">{messages.passkeysHint}</p>
        <ul className="divide-y divide-line">
          {account.passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
              <div className="min-w-0 flex-1">
                <p className="font-medium break-words">
                  <bdi>{passkey.name}</bdi>
                </p>
                <p className="text-ink-11">
                  {passkey.lastUsedAt === null
                    ? messages.passkeyUnused
                    : `${messages.passkeyUsed} ${sinceWords(passkey.lastUsedAt)}`}
                </p>
              </div>
              <Button
                size="small"
                aria-label={messages.removePasskey(passkey.name)}
                onClick={() => void removeKey(passkey)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </div>
      {hasFactor ? (
        <div className="flex flex-wrap items-center gap-3">
          <div>
            <h3 className="font-medium">{messages.recovery}</h3>
            <p className="text-ink-11">{messages.recoveryLeft(account.recoveryCodesLeft)}</p>
          </div>
          <Button size="small" className="ms-auto" onClick={() => void renew()}>
            {messages.renew}
          </Button>
        </div>
      ) : null}
      {open?.kind === "app" ? <AppDialog onAdded={added} onClose={() => setOpen(null)} /> : null}
      {open?.kind === "passkey" ? (
        <PasskeyDialog onAdded={added} onClose={() => setOpen(null)} />
      ) : null}
      {open?.kind === "codes" ? (
        <CodesDialog codes={open.codes} onClose={() => setOpen(null)} />
      ) : null}
    </Section>
  );
}

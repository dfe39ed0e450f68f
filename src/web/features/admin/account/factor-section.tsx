import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Account, Passkey } from "#contract/accounts/account.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { plural } from "#web/lib/format/english-counts.ts";
import { sinceWords } from "../shared/moments.ts";
import { notify } from "../shared/notices.tsx";
import { Section } from "../shared/section.tsx";
import { accountKey, removePasskey, removeTotp, renewRecoveryCodes } from "./calls.ts";
import { AppDialog } from "./app-dialog.tsx";
import { CodesDialog } from "./codes-dialog.tsx";
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
    meta: { failure: "Failed to set up the app", refreshes: accountKey },
  });
  const renewing = useMutation({
    mutationFn: renewRecoveryCodes,
    onSuccess: ({ recoveryCodes }) => setOpen({ kind: "codes", codes: recoveryCodes }),
    meta: { failure: "Failed to create new codes", refreshes: accountKey },
  });
  /** Shows the recovery codes, which exist only if this is the first factor. */
  const added = (codes: readonly string[]) => {
    refresh();
    setOpen(codes.length > 0 ? { kind: "codes", codes } : null);
  };
  const removeApp = async () => {
    if (
      await confirmAction(
        "Remove the authenticator app? Its codes will stop working.",
        "Remove app",
        "danger",
      )
    ) {
      change.mutate({ run: removeTotp, done: "App removed" });
    }
  };
  const removeKey = async ({ id, name }: Passkey) => {
    if (await confirmAction(`Remove the passkey ${name}?`, "Remove", "danger")) {
      change.mutate({ run: () => removePasskey(id), done: "Passkey removed" });
    }
  };
  const renew = async () => {
    if (
      await confirmAction(
        "Create new recovery codes? Your current codes will stop working.",
        "Create new codes",
      )
    )
      renewing.mutate();
  };

  return (
    <Section
      title="Two-factor sign-in"
      hint="Protect your account with a code from an app on your phone, or with a passkey, in addition to your password."
    >
      {account.isSecondFactorRequired && !hasFactor ? (
        <p role="alert" className="rounded-md bg-lamp-soft px-4 py-3 font-medium text-lamp-text">
          This site requires two-factor sign-in. Add an authenticator app or a passkey to continue.
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="font-medium">Authenticator app</h3>
        <Badge tone={account.hasTotp ? "done" : "neutral"}>{account.hasTotp ? "On" : "Off"}</Badge>
        <Button
          size="small"
          className="ms-auto"
          onClick={() => (account.hasTotp ? void removeApp() : setOpen({ kind: "app" }))}
        >
          {account.hasTotp ? "Remove app" : "Set up an app"}
        </Button>
      </div>
      <div>
        <div className="flex flex-wrap items-center gap-3">
          <h3 className="font-medium">Passkeys</h3>
          <Button size="small" className="ms-auto" onClick={() => setOpen({ kind: "passkey" })}>
            Add a passkey
          </Button>
        </div>
        <p className="mt-1 text-ink-11">
          Sign in with your fingerprint, face, PIN or security key instead of your password.
        </p>
        <PasskeyList passkeys={account.passkeys} onRemove={(key) => void removeKey(key)} />
      </div>
      {hasFactor ? (
        <div className="flex flex-wrap items-center gap-3">
          <div>
            <h3 className="font-medium">Recovery codes</h3>
            <p className="text-ink-11">{`${plural(account.recoveryCodesLeft, "code", "codes")} left.`}</p>
          </div>
          <Button size="small" className="ms-auto" onClick={() => void renew()}>
            Create new codes
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

function PasskeyList({
  passkeys,
  onRemove,
}: {
  passkeys: readonly Passkey[];
  onRemove: (passkey: Passkey) => void;
}) {
  return (
    <ul className="divide-y divide-line">
      {passkeys.map((passkey) => (
        <li key={passkey.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
          <div className="min-w-0 flex-1">
            <p className="font-medium break-words">
              <bdi>{passkey.name}</bdi>
            </p>
            <p className="text-ink-11">
              {passkey.lastUsedAt === null
                ? "Never used"
                : `Last used ${sinceWords(passkey.lastUsedAt)}`}
            </p>
          </div>
          <Button
            size="small"
            aria-label={`Remove ${passkey.name}`}
            onClick={() => onRemove(passkey)}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

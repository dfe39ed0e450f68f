import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, useEffect } from "react";
import type { Account, Passkey, TotpSecret } from "#contract/accounts/account.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { plural } from "#web/lib/format/english-counts.ts";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { issueOf } from "#web/lib/api/failures.ts";
import { QrCode } from "#web/components/ui/qr-code.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { sinceWords } from "../shared/moments.ts";
import { notify } from "../shared/notices.tsx";
import { Section } from "../shared/section.tsx";
import { copyText } from "../shared/copy-dialog.tsx";
import { failureWithReason } from "../shared/failure-text.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import {
  accountKey,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  addPasskey,
  activateTotp,
  beginTotp,
} from "./calls.ts";

/** Sets up an authenticator app. Shows a secret, then asks for the first code. */
function AppDialog({
  onAdded,
  onClose,
}: {
  onAdded: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}) {
  const [secret, setSecret] = useState<TotpSecret | null>(null);
  const [code, setCode] = useState("");
  useEffect(() => {
    beginTotp().then(setSecret, (error: unknown) => {
      notify.failure(failureWithReason("Failed to set up the app", error));
      onClose();
    });
    // Called once per dialog, because each call creates a new secret.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const activating = useMutation({
    mutationFn: () => activateTotp(code.trim()),
    onSuccess: ({ recoveryCodes }) => {
      notify.success("App added");
      onAdded(recoveryCodes);
    },
  });
  return (
    <ModalForm
      size="small"
      title="Set up an app"
      description="Scan this code with an authenticator app, then enter the six digits it shows."
      submitLabel="Turn on"
      busyLabel="Turning on..."
      isBusy={activating.isPending}
      canSubmit={secret !== null && code.trim() !== ""}
      onSubmit={() => activating.mutateAsync()}
      onClose={onClose}
    >
      <div className="flex justify-center">
        {secret === null ? (
          <Skeleton className="size-52" />
        ) : (
          <QrCode text={secret.uri} label="QR code of the key below" />
        )}
      </div>
      <div>
        <p className="text-sm font-medium">Or enter this key in the app</p>
        <p className="mt-1 font-mono text-sm break-all select-all">
          {secret?.secret.match(/.{1,4}/g)?.join(" ") ?? "…"}
        </p>
      </div>
      <TextField
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        required
        hasMark={false}
        value={code}
        error={issueOf(activating.error, "code")}
        onChange={(event) => setCode(event.target.value)}
      />
    </ModalForm>
  );
}

/** Asks for a name, then lets the browser create the passkey. */
function PasskeyDialog({
  onAdded,
  onClose,
}: {
  onAdded: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const adding = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: ({ recoveryCodes }) => {
      notify.success("Passkey added");
      onAdded(recoveryCodes);
    },
    onError: (error) =>
      notify.failure(
        error instanceof ApiError
          ? failureWithReason("Failed to add the passkey", error)
          : "Your browser didn't create a passkey. Try again.",
      ),
  });
  return (
    <ModalForm
      size="small"
      title="Add a passkey"
      submitLabel="Add a passkey"
      busyLabel="Adding..."
      isBusy={adding.isPending}
      canSubmit={name.trim() !== ""}
      onSubmit={() => adding.mutateAsync()}
      onClose={onClose}
    >
      <TextField
        label="Passkey name"
        hint="For example, the name of your device"
        dir="auto"
        maxLength={100}
        required
        hasMark={false}
        value={name}
        error={issueOf(adding.error, "name")}
        onChange={(event) => setName(event.target.value)}
      />
    </ModalForm>
  );
}

/** Shows recovery codes. The server can't show them again. */
function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      size="small"
      onClose={onClose}
      title="Recovery codes"
      description="Use a code once to sign in if you lose your phone. Save the codes in a safe place. They won't be shown again."
      footer={
        <>
          <Button
            onClick={() =>
              void copyText(codes.join("\n"), {
                copied: "Recovery codes copied",
                copyFailed: "Couldn't copy the codes",
              })
            }
          >
            Copy codes
          </Button>
          <Button kind="primary" onClick={onClose}>
            I've saved them
          </Button>
        </>
      }
    >
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-md bg-ink-3 p-4 font-mono text-sm min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

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

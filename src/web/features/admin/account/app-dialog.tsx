import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { TotpSecret } from "#contract/accounts/account.ts";
import { QrCode } from "#web/components/ui/qr-code.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { failureText } from "../shared/failure-text.ts";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { notify } from "../shared/notices.tsx";
import { activateTotp, beginTotp } from "./calls.ts";

/** Sets up an authenticator app. Shows a secret, then asks for the first code. */
export function AppDialog({
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
      notify.failure(failureText("Failed to set up the app", error));
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

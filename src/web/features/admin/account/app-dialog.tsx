import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { encode } from "uqr";
import type { TotpSecret } from "../../../../contract/account.ts";
import { TextField } from "../../../components/ui/field.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { failureText } from "../shared/failure-text.ts";
import { issueOf } from "../../../lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { notify } from "../shared/notices.tsx";
import { activateTotp, beginTotp } from "./api/account-calls.ts";
import { accountMessages as messages } from "./messages.ts";

/** The text as a QR code, dark on light in both themes as scanners expect. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 3 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of the key below"
      shapeRendering="crispEdges"
      className="size-52 rounded-md bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Sets up an authenticator app: a secret, then its first code. */
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
      notify.failure(failureText(messages.appFailed, error));
      onClose();
    });
    // Once for this dialog: each call makes another secret.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const activating = useMutation({
    mutationFn: () => activateTotp(code.trim()),
    onSuccess: ({ recoveryCodes }) => {
      notify.success(messages.appAdded);
      onAdded(recoveryCodes);
    },
  });
  return (
    <ModalForm
      isOpen
      size="small"
      title={messages.addApp}
      description={messages.scan}
      submitLabel={messages.turnOn}
      busyLabel={messages.turningOn}
      isBusy={activating.isPending}
      canSubmit={secret !== null && code.trim() !== ""}
      onSubmit={() => activating.mutate()}
      onClose={onClose}
    >
      <div className="flex justify-center">
        {secret === null ? <Skeleton className="size-52" /> : <QrCode text={secret.uri} />}
      </div>
      <div>
        <p className="text-sm font-medium">{messages.secret}</p>
        <p className="mt-1 font-mono text-sm break-all select-all">
          {secret?.secret.match(/.{1,4}/g)?.join(" ") ?? "…"}
        </p>
      </div>
      <TextField
        label={messages.code}
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

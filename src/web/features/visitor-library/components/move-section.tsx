import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { transferMax, claimedTransfer, transferCode } from "#contract/visitors/device-transfers.ts";
import { reportStored } from "#web/components/save/report-lost.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { QrCode } from "#web/components/ui/qr-code.tsx";
import { toast } from "#web/components/ui/toast.tsx";
import { failureText } from "#web/lib/api/failures.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import {
  addToDevice,
  packDevice,
  readDevice,
  parseDevice,
  type DeviceData,
} from "../device-data.ts";
import { call } from "#web/lib/api/http.ts";

const messages = inLanguage("library");

/** Returns a code with which another device can fetch this text once, within ten minutes. */
async function createTransfer(data: string): Promise<string> {
  const body = { data };
  const { code } = await call("/api/transfers", transferCode, { method: "POST", body });
  return code;
}

async function claimTransfer(code: string): Promise<DeviceData> {
  const body = { code };
  const { data } = await call("/api/transfers/claim", claimedTransfer, { method: "POST", body });
  return parseDevice(data);
}

const spaced = (code: string) => code.replace(/(.{4})(?=.)/g, "$1-");

function fail(error: unknown): void {
  console.warn("Moving the library failed", error);
  toast.error(failureText(error, messages.moveFailed, { not_found: "unknown_code" }));
}

/** Creates a code for another device and imports data from other devices. */
export function MoveSection() {
  const [made, setMade] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  // The QR code opens this page with the code after #, which browsers don't send to servers.
  const scanned = new URLSearchParams(hash.slice(1)).get("code");
  useEffect(() => {
    if (scanned !== null) setTyped(spaced(scanned));
  }, [scanned]);

  const run = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    await work().catch(fail);
    setBusy(false);
  };
  const make = () =>
    run(async () => {
      const { text, isComplete } = packDevice(readDevice());
      if (text.length > transferMax) return toast.error(messages.tooLong);
      setMade(await createTransfer(text));
      if (!isComplete) toast.success(messages.oldestStay);
    });
  const takeOver = () =>
    run(async () => {
      const isStored = addToDevice(await claimTransfer(typed));
      setTyped("");
      reportStored(isStored, messages.takenOver);
      await navigate("/library", { replace: true });
    });

  return (
    <div className="grid gap-6 md:grid-cols-2">
      <div className="grid content-start justify-items-start gap-3">
        <p className="text-sm text-ink-11">{messages.moveText}</p>
        <Button aria-disabled={isBusy} onClick={() => void make()}>
          {messages.makeCode}
        </Button>
        {made === null ? null : (
          <>
            <p aria-live="polite" className="tabular text-lg font-semibold" data-code="">
              <span className="sr-only">{messages.code} </span>
              <span dir="ltr">{spaced(made)}</span>
            </p>
            <QrCode
              text={`${window.location.origin}${pagePath("/library")}#code=${made}`}
              label={messages.codeQr}
            />
          </>
        )}
      </div>
      <form
        className="flex items-end gap-2 self-start"
        onSubmit={(event) => {
          event.preventDefault();
          void takeOver();
        }}
      >
        <TextField
          label={messages.enterCode}
          value={typed}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="min-w-0 flex-1"
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" aria-disabled={isBusy} disabled={typed.trim() === ""}>
          {messages.takeOver}
        </Button>
      </form>
    </div>
  );
}

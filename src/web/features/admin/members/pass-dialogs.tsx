import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { passLimits, type Pass, type PassWithLink } from "#contract/visitors/passes.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { QrCode } from "#web/components/ui/qr-code.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import { bindFields, changedFields } from "../shared/bind-fields.ts";
import { copyText } from "../shared/copy-dialog.tsx";
import { failureWithReason } from "../shared/failure-text.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { dayWords, localDateTime } from "../shared/moments.ts";
import { notify } from "../shared/notices.tsx";
import {
  createPass,
  createPasses,
  getPass,
  mailPass,
  passesKey,
  savePassesCsv,
  updatePass,
} from "./calls.ts";

/** Name of a pass in the back office. */
export const nameOf = ({ note, email, reference, id }: Pass): string =>
  note ?? email ?? reference ?? `Pass ${id.slice(-6)}`;

const newEnds = [
  { value: "days", label: "For a number of days" },
  { value: "date", label: "Until a date" },
];
const changedEnds = [
  { value: "same", label: "Don't change" },
  { value: "days", label: "Extend by days" },
  { value: "date", label: "Until a date" },
];

/** Dialog that changes a pass, or creates one or several. */
export function PassDialog({
  pass,
  onCreated,
  onClose,
}: {
  /** Null for a new pass. */
  pass: Pass | null;
  onCreated: (pass: PassWithLink) => void;
  onClose: () => void;
}) {
  const before = {
    note: pass?.note ?? "",
    email: pass?.email ?? "",
    devices: pass?.maxDevices ?? passLimits.defaultDevices,
  };
  const [form, setForm] = useState({
    ...before,
    devices: String(before.devices),
    end: pass === null ? "days" : "same",
    days: "30",
    validUntil: "",
    count: "1",
  });
  const [today] = useState(() => localDateTime(new Date()).slice(0, 10));
  const [isDirty, setDirty] = useState(false);
  const set = (change: Partial<typeof form>) => {
    setDirty(true);
    setForm({ ...form, ...change });
  };
  const isOne = Number(form.count) === 1;
  const saving = useMutation({
    async mutationFn(): Promise<PassWithLink[]> {
      const { note, email } = form;
      const devices = Number(form.devices);
      const end = endOf(form);
      if (pass !== null) {
        const changes = changedFields({ note, email, devices }, before);
        return [await updatePass(pass.id, { ...changes, ...end })];
      }
      if (isOne) return [await createPass({ note, email, devices, ...end })];
      return createPasses({ note, devices, ...end, count: Number(form.count) });
    },
    onSuccess(saved) {
      const [first] = saved;
      if (pass !== null) return onClose();
      if (isOne && first !== undefined) return onCreated(first);
      savePassesCsv(saved);
      notify.success(
        `Created ${countOf(saved.length, "pass", "passes")}. The file has their links.`,
      );
      onClose();
    },
    meta: {
      failure: pass === null ? "Failed to create passes" : "Failed to change the pass",
      refreshes: passesKey,
    },
  });
  const fields = bindFields(form, set, (name) => issueOf(saving.error, name));
  return (
    <ModalForm
      title={pass === null ? "New pass" : "Edit pass"}
      description={pass === null ? undefined : `Valid until ${dayWords(pass.validUntil)}`}
      submitLabel={pass === null ? "Create" : "Save"}
      busyLabel={pass === null ? "Creating..." : "Saving..."}
      isBusy={saving.isPending}
      isDirty={isDirty}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <TextField
        label="Note"
        maxLength={200}
        hint="Only shown here, for example the member's name"
        {...fields.text("note")}
      />
      {isOne ? (
        <TextField
          label="Email"
          type="email"
          maxLength={254}
          hint="Only needed to send the link by email"
          {...fields.text("email")}
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Valid"
          options={pass === null ? newEnds : changedEnds}
          {...fields.text("end")}
        />
        {form.end === "days" ? (
          <TextField
            label="Days"
            type="number"
            min={1}
            max={passLimits.days}
            required
            hint={
              pass === null
                ? undefined
                : "Added to the current end, or to today if the pass has expired"
            }
            {...fields.text("days")}
          />
        ) : null}
        {form.end === "date" ? (
          <TextField
            label="Last day"
            type="date"
            required
            min={today}
            {...fields.text("validUntil")}
          />
        ) : null}
      </div>
      <TextField
        label="Devices"
        type="number"
        min={1}
        max={passLimits.devices}
        required
        hint={
          pass === null
            ? "How many devices can use the pass at the same time"
            : "With fewer devices, those used longest ago are signed out"
        }
        {...fields.text("devices")}
      />
      {pass === null ? (
        <TextField
          label="Number of passes"
          type="number"
          min={1}
          max={passLimits.batch}
          required
          hint="Several passes are saved as a CSV file with their links"
          {...fields.text("count")}
        />
      ) : null}
    </ModalForm>
  );
}

/** Returns the end for the API. A pass is valid until the end of its last day in this time zone. */
function endOf({ end, days, validUntil }: { end: string; days: string; validUntil: string }) {
  if (end === "days") return { days: Number(days) };
  if (end === "same") return {};
  return { validUntil: new Date(`${validUntil}T23:59:59`).toISOString() };
}

/** Shows the link of a pass as text and QR code, with buttons that copy and email it. */
export function PassLinkDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: pass, error } = useQuery({
    queryKey: [...passesKey, "link", id],
    queryFn: () => getPass(id),
    gcTime: 0,
  });
  const mailing = useMutation({
    mutationFn: () => mailPass(id),
    onSuccess: () => notify.success("Sent the link"),
    meta: { failure: "Couldn't send the email" },
  });
  return (
    <Dialog
      title={pass === undefined ? "Pass" : nameOf(pass)}
      description="Whoever has this link or code can use the pass."
      onClose={onClose}
      footer={
        <>
          {pass?.email == null ? null : (
            <Button disabled={mailing.isPending} onClick={() => mailing.mutate()}>
              Send by email
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {error === null ? null : (
        <p role="alert">{failureWithReason("Couldn't load the link", error)}</p>
      )}
      {pass === undefined ? null : (
        <div className="grid gap-4">
          <TextField
            label="Link"
            readOnly
            dir="ltr"
            value={pass.link}
            onFocus={(event) => event.target.select()}
          />
          <Button
            onClick={() =>
              void copyText(pass.link, {
                copied: "Link copied to clipboard!",
                copyFailed: "Couldn't copy the link",
              })
            }
          >
            Copy link
          </Button>
          <TextField
            label="Code"
            hint="To type at /pass on a TV"
            readOnly
            dir="ltr"
            value={pass.code}
            onFocus={(event) => event.target.select()}
          />
          <QrCode text={pass.link} label="QR code of the link" />
        </div>
      )}
    </Dialog>
  );
}

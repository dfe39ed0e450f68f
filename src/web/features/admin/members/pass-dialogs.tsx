import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { passLimits, type Pass, type PassWithLink } from "#contract/visitors/passes.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { QrCode } from "#web/components/ui/qr-code.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import { bindFields } from "../shared/bind-fields.ts";
import { copyText } from "../shared/copy-dialog.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { dayWords } from "../shared/moments.ts";
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

const emptyForm = { note: "", email: "", days: "30", devices: String(passLimits.defaultDevices) };

/** Dialog that creates one pass or, with a number above 1, several. */
export function NewPassDialog({
  onCreated,
  onClose,
}: {
  onCreated: (pass: PassWithLink) => void;
  onClose: () => void;
}) {
  const [form, setForm] = useState({ ...emptyForm, count: "1" });
  const [isDirty, setDirty] = useState(false);
  const set = (change: Partial<typeof form>) => {
    setDirty(true);
    setForm({ ...form, ...change });
  };
  const isOne = Number(form.count) === 1;
  const terms = { note: form.note, days: Number(form.days), devices: Number(form.devices) };
  const saving = useMutation({
    mutationFn: () =>
      isOne
        ? createPass({ ...terms, email: form.email }).then((pass) => [pass])
        : createPasses({ ...terms, count: Number(form.count) }),
    onSuccess(passes) {
      const [first] = passes;
      if (isOne && first !== undefined) return onCreated(first);
      savePassesCsv(passes);
      notify.success(
        `Created ${countOf(passes.length, "pass", "passes")}. The file has their links.`,
      );
      onClose();
    },
    meta: { failure: "Failed to create passes", refreshes: passesKey },
  });
  const fields = bindFields(form, set, (name) => issueOf(saving.error, name));
  return (
    <ModalForm
      title="New pass"
      submitLabel="Create"
      busyLabel="Creating..."
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
      <TextField
        label="Valid for days"
        type="number"
        min={1}
        max={passLimits.days}
        required
        {...fields.text("days")}
      />
      <TextField
        label="Devices"
        type="number"
        min={1}
        max={passLimits.devices}
        required
        hint="How many devices can use the pass at the same time"
        {...fields.text("devices")}
      />
      <TextField
        label="Number of passes"
        type="number"
        min={1}
        max={passLimits.batch}
        required
        hint="Several passes are saved as a CSV file with their links"
        {...fields.text("count")}
      />
    </ModalForm>
  );
}

/** Dialog that changes a pass or adds days to it. */
export function EditPassDialog({ pass, onClose }: { pass: Pass; onClose: () => void }) {
  const [form, setForm] = useState({
    note: pass.note ?? "",
    email: pass.email ?? "",
    days: "",
    devices: String(pass.maxDevices),
  });
  const [isDirty, setDirty] = useState(false);
  const set = (change: Partial<typeof form>) => {
    setDirty(true);
    setForm({ ...form, ...change });
  };
  const saving = useMutation({
    mutationFn: () =>
      updatePass(pass.id, {
        note: form.note,
        email: form.email,
        devices: Number(form.devices),
        ...(form.days === "" ? {} : { days: Number(form.days) }),
      }),
    onSuccess: onClose,
    meta: { failure: "Failed to change the pass", refreshes: passesKey },
  });
  const fields = bindFields(form, set, (name) => issueOf(saving.error, name));
  return (
    <ModalForm
      title="Edit pass"
      description={`Valid until ${dayWords(pass.validUntil)}`}
      submitLabel="Save"
      busyLabel="Saving..."
      isBusy={saving.isPending}
      isDirty={isDirty}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <TextField label="Note" maxLength={200} {...fields.text("note")} />
      <TextField label="Email" type="email" maxLength={254} {...fields.text("email")} />
      <TextField
        label="Extend by days"
        type="number"
        min={1}
        max={passLimits.days}
        hint="Added to the end of the pass, or to today if it has expired"
        {...fields.text("days")}
      />
      <TextField
        label="Devices"
        type="number"
        min={1}
        max={passLimits.devices}
        required
        hint="With fewer devices, those used longest ago are signed out"
        {...fields.text("devices")}
      />
    </ModalForm>
  );
}

/** Shows the link of a pass as text and QR code, with buttons that copy and email it. */
export function PassLinkDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: pass, isError } = useQuery({
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
      {isError ? <p>Couldn't load the link.</p> : null}
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

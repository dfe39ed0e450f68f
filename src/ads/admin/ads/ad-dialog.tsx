import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { limits } from "#contract/limits.ts";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { SelectField, SwitchField, TextField } from "#web/components/ui/field.tsx";
import { bindFields, type BoundFields } from "#web/features/admin/shared/bind-fields.ts";
import { EditConflict } from "#web/features/admin/shared/editing/edit-conflict.tsx";
import { useEditedForm } from "#web/features/admin/shared/editing/use-edited-form.ts";
import { useValidatedForm } from "#web/features/admin/shared/editing/use-validated-form.tsx";
import { ModalForm } from "#web/features/admin/shared/modal-form.tsx";
import { Disclosure } from "#web/features/admin/shared/section.tsx";
import { useCan } from "#web/features/admin/shared/admin-page.tsx";
import type { Ad } from "../../contract/ads.ts";
import { adFailure, AdFailureLines, type AdFailure } from "./ad-columns.tsx";
import { adListKey, campaignsQuery, changeAd, createAd, getAd } from "./calls.ts";
import {
  adForm,
  adLabels as labels,
  adMerge,
  emptyAdForm,
  readAdForm,
  type AdForm,
} from "./ad-form.ts";
import { CreativeFields, CreativePreview } from "./creative-fields.tsx";
import { dateHint } from "./form-values.ts";
import { DeliveryFields } from "./delivery-fields.tsx";
import {
  adMessages as messages,
  placementHints,
  placementOptions,
  typeOptions,
} from "./messages.ts";

const pleaseChoose = { value: "", label: "Choose..." };

/** Dialog that adds or edits an ad. The page also shows failures. */
export function AdDialog({
  ad: given,
  isCopy = false,
  campaignId,
  timeZone,
  onClose,
  onFailure,
  onTest,
}: {
  /** Null for a new ad. */
  ad: Ad | null;
  /** Adds another ad with the values of this one. The new ad is inactive at first. */
  isCopy?: boolean;
  /** Campaign of a new ad. */
  campaignId?: string;
  /** Time zone of dates and caps. */
  timeZone: string;
  onClose: () => void;
  onFailure: (failure: AdFailure | null) => void;
  onTest: (url: string) => void;
}) {
  const campaigns = useQuery(campaignsQuery);
  const canApprove = useCan()("ads.approve");
  const ad = isCopy ? null : given;
  const newForm: AdForm =
    given === null
      ? { ...emptyAdForm, campaignId: campaignId ?? "" }
      : copyForm(given, timeZone, canApprove);
  const edit = useEditedForm<Ad | null, AdForm>({
    item: ad,
    formOf: (item) => (item === null ? newForm : adForm(item, timeZone)),
    merge: adMerge,
    async save(base, filled) {
      const read = readAdForm(filled, timeZone, base ?? given);
      if (!read.ok) return undefined;
      return base === null ? createAd(read.input) : changeAd(base, read.input);
    },
    load: async () => (ad === null ? null : getAd(ad.id)),
  });
  const { form, set } = edit;
  const [blocked, setBlocked] = useState<readonly string[]>([]);
  const reading = readAdForm(form, timeZone, edit.base ?? given);

  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: (isSaved) => {
      if (!isSaved) return;
      onFailure(null);
      onClose();
    },
    onError: (error) => {
      console.warn("An ad was not saved", error);
      onFailure(adFailure(messages.saveFailed, error));
    },
    meta: { refreshes: adListKey },
  });

  const { problemOf, validate, hint } = useValidatedForm(reading, saving.error);
  const fields = bindFields(form, set, problemOf);
  const submit = async () => {
    if (!validate()) return;
    const becomesTrusted = form.trust === "page" && edit.base?.trust !== "page";
    if (await confirmSaving(form, becomesTrusted, blocked)) await saving.mutateAsync();
  };
  const nameOf = (field: string, value: string): string => {
    if (field !== "campaignId") return value;
    return campaigns.data?.campaigns.find(({ id }) => id === value)?.name ?? value;
  };

  return (
    <ModalForm
      size="wide"
      title={
        isCopy ? "Copy Advertisement" : ad === null ? "Add Advertisement" : "Edit Advertisement"
      }
      submitLabel={ad === null ? "Create" : "Update"}
      busyLabel="Saving..."
      isBusy={saving.isPending}
      canSubmit={edit.clashes.length === 0}
      isDirty={edit.isDirty}
      onSubmit={submit}
      onClose={onClose}
    >
      <EditConflict edit={edit} nameOf={nameOf} />
      {saving.isError ? (
        <div role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-danger-text">
          <AdFailureLines {...adFailure(messages.saveFailed, saving.error)} />
        </div>
      ) : null}
      <div className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid gap-4">
          <FormPart title="What it's for">
            <TextField
              label={labels.title}
              required
              maxLength={limits.titleMax}
              {...fields.text("title")}
            />
            <SelectField
              label={labels.campaignId}
              hint="The campaign's dates, goals, caps and targets apply in addition to the ad's own"
              options={[
                { value: "", label: "No campaign" },
                ...(campaigns.data?.campaigns ?? []).map(({ id, name, advertiserName }) => ({
                  value: id,
                  label: `${name} (${advertiserName})`,
                })),
              ]}
              {...fields.text("campaignId")}
            />
          </FormPart>
          <FormPart title="What it shows">
            <SelectField
              label={labels.type}
              required
              options={form.type === "" ? [pleaseChoose, ...typeOptions] : typeOptions}
              {...fields.text("type")}
            />
            <CreativeFields
              form={form}
              set={set}
              fields={fields}
              canTrust={canApprove}
              onTest={onTest}
            />
          </FormPart>
          <FormPart title="Where it appears">
            <SelectField
              label={labels.placement}
              required
              options={
                form.placement === "" ? [pleaseChoose, ...placementOptions] : placementOptions
              }
              hint={placementHints[form.placement]}
              {...fields.text("placement")}
            />
          </FormPart>
          <FormPart title="When it runs">
            <ScheduleFields fields={fields} timeZone={timeZone} />
            {canApprove ? null : (
              <p className="text-sm text-ink-11">
                An administrator has to approve the ad after every change.
              </p>
            )}
          </FormPart>
          <RareFields form={form} fields={fields} />
          <DeliveryFields form={form} set={set} fields={fields} timeZone={timeZone} />
          {hint}
        </div>
        <div className="grid gap-4 lg:sticky lg:top-0">
          <CreativePreview form={form} set={set} onBlocked={setBlocked} />
        </div>
      </div>
    </ModalForm>
  );
}

/** Returns the form for a copy. The copy is inactive at first. */
function copyForm(ad: Ad, timeZone: string, canApprove: boolean): AdForm {
  return {
    ...adForm(ad, timeZone),
    title: `Copy of ${ad.title}`.slice(0, limits.titleMax).toWellFormed(),
    isActive: false,
    // Only users who may approve can trust an ad.
    trust: canApprove ? ad.trust : "isolated",
  };
}

/** Asks before saving an ad with full access to pages, or one that its isolation would break. */
async function confirmSaving(
  form: AdForm,
  becomesTrusted: boolean,
  blocked: readonly string[],
): Promise<boolean> {
  if (becomesTrusted) {
    if (
      !(await confirmAction(
        "Let this ad's scripts run in your pages? They can read and change what visitors see there, and act on their behalf. They never run for signed-in users.",
        "Trust ad",
        "danger",
      ))
    )
      return false;
  }
  const isBlocked = form.isActive && form.trust === "isolated" && blocked.length > 0;
  return !isBlocked || (await confirmAction(messages.confirmBlocked(blocked), "Save anyway"));
}

/** Part of the form with a heading. */
function FormPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="grid gap-4 border-t border-line pt-4 first:border-t-0 first:pt-0"
    >
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** Fields for the dates and whether the ad is active. */
function ScheduleFields({ fields, timeZone }: { fields: BoundFields<AdForm>; timeZone: string }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={labels.startDate}
          hint={dateHint(fields.text("startDate").value, timeZone)}
          type="datetime-local"
          {...fields.text("startDate")}
        />
        <TextField
          label={labels.endDate}
          hint={dateHint(fields.text("endDate").value, timeZone)}
          type="datetime-local"
          {...fields.text("endDate")}
        />
      </div>
      <SwitchField
        label={labels.isActive}
        hint="Shown between its start and end dates"
        {...fields.toggle("isActive")}
      />
    </>
  );
}

/** Fields that few ads need. Collapsed if they are empty. */
function RareFields({ form, fields }: { form: AdForm; fields: BoundFields<AdForm> }) {
  const { description, widthPx, heightPx } = form;
  return (
    <Disclosure title="Description and size" isOpen={description + widthPx + heightPx !== ""}>
      <TextField label={labels.description} maxLength={2000} {...fields.text("description")} />
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <TextField
          label={labels.widthPx}
          hint="Size of the creative in pixels. The page reserves this space"
          inputMode="numeric"
          {...fields.text("widthPx")}
        />
        <TextField label={labels.heightPx} inputMode="numeric" {...fields.text("heightPx")} />
      </div>
    </Disclosure>
  );
}

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ComponentProps, type ReactNode } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import {
  bindFields,
  type BoundFields,
  type NamesOf,
} from "#web/features/admin/shared/bind-fields.ts";
import { CheckList } from "#web/features/admin/shared/check-list.tsx";
import { Disclosure } from "#web/features/admin/shared/section.tsx";
import { EditConflict } from "#web/features/admin/shared/editing/edit-conflict.tsx";
import { useEditedForm } from "#web/features/admin/shared/editing/use-edited-form.ts";
import { useValidatedForm } from "#web/features/admin/shared/editing/use-validated-form.tsx";
import { ModalForm } from "#web/features/admin/shared/modal-form.tsx";
import { adDevices, type AdDevice } from "../../contract/ads.ts";
import type { Campaign } from "../../contract/campaigns.ts";
import { dateHint, languageHint } from "../ads/form-values.ts";
import { deviceLabels } from "../ads/messages.ts";
import { SlugHint } from "../ads/delivery-fields.tsx";
import { AdvertiserDialog } from "./advertiser-dialog.tsx";
import { campaignsKey } from "../ads/calls.ts";
import { advertisersQuery, getCampaign, saveCampaign } from "./calls.ts";
import {
  campaignForm,
  campaignLabels as labels,
  campaignMerge,
  emptyCampaignForm,
  needsRules,
  readCampaignForm,
  type CampaignForm,
} from "./campaign-form.ts";
import {
  campaignMessages as messages,
  goalLabels,
  optionsOf,
  priceLabels,
  priorityLabels,
  rotationLabels,
} from "./messages.ts";

/** Names of the options in select fields. */
const optionLabels: Record<string, Record<string, string>> = {
  priority: priorityLabels,
  goal: goalLabels,
  priceModel: priceLabels,
  rotation: rotationLabels,
};

/** Dialog that adds or edits a campaign. */
export function CampaignDialog({
  campaign: given,
  isCopy = false,
  timeZone,
  onClose,
}: {
  /** Null for a new campaign. */
  campaign: Campaign | null;
  /** Adds another campaign with the values of this one. The new campaign is inactive at first. */
  isCopy?: boolean;
  /** Time zone of dates, hours and caps. */
  timeZone: string;
  onClose: () => void;
}) {
  const campaign = isCopy ? null : given;
  const emptyForm: CampaignForm =
    given === null
      ? emptyCampaignForm
      : { ...campaignForm(given, timeZone), name: `Copy of ${given.name}`, isActive: false };
  const advertisers = useQuery(advertisersQuery);
  const [isAdvertiserNew, setAdvertiserNew] = useState(false);
  const edit = useEditedForm<Campaign | null, CampaignForm>({
    item: campaign,
    formOf: (item) => (item === null ? emptyForm : campaignForm(item, timeZone)),
    merge: campaignMerge,
    async save(base, filled) {
      const read = readCampaignForm(filled, timeZone, base ?? given);
      if (!read.ok) return undefined;
      return saveCampaign(base?.id ?? null, { ...read.input, version: base?.version });
    },
    load: async () => (campaign === null ? null : getCampaign(campaign.id)),
  });
  const { form, set } = edit;
  const reading = readCampaignForm(form, timeZone, edit.base ?? given);
  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: (isSaved) => {
      if (isSaved) onClose();
    },
    meta: { failure: "Couldn't save the campaign.", refreshes: campaignsKey },
  });

  const { problemOf, validate, hint } = useValidatedForm(reading, saving.error);
  const submit = () => (validate() ? saving.mutateAsync() : undefined);
  const fields = bindFields(form, set, problemOf);
  const { date, number } = campaignFields(fields, timeZone);
  const nameOf = (field: string, value: string): string => {
    if (field !== "advertiserId") return optionLabels[field]?.[value] ?? value;
    return advertisers.data?.find(({ id }) => id === value)?.name ?? value;
  };
  return (
    <>
      <ModalForm
        size="large"
        title={isCopy ? "Copy Campaign" : campaign === null ? "Add Campaign" : "Edit Campaign"}
        submitLabel={campaign === null ? "Create" : "Update"}
        busyLabel="Saving..."
        isBusy={saving.isPending}
        canSubmit={edit.clashes.length === 0}
        isDirty={edit.isDirty}
        onSubmit={submit}
        onClose={onClose}
      >
        <EditConflict edit={edit} nameOf={nameOf} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label={labels.name} required maxLength={200} {...fields.text("name")} />
          <div className="grid content-start gap-2">
            <SelectField
              label={labels.advertiserId}
              required
              options={[
                { value: "", label: "Choose..." },
                ...(advertisers.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
              {...fields.text("advertiserId")}
            />
            <Button
              size="small"
              className="justify-self-start"
              onClick={() => setAdvertiserNew(true)}
            >
              New advertiser
            </Button>
          </div>
          {date("startDate")}
          {date("endDate")}
          <SelectField
            label={labels.priority}
            options={optionsOf(priorityLabels)}
            {...fields.text("priority")}
          />
          <SelectField
            label={labels.rotation}
            options={optionsOf(rotationLabels)}
            {...fields.text("rotation")}
          />
          <SelectField
            label={labels.goal}
            options={optionsOf(goalLabels)}
            {...fields.text("goal")}
          />
          {form.goal === "none" ? null : number("goalAmount")}
        </div>
        <SwitchField
          label={labels.isActive}
          hint="Shown between its start and end dates"
          {...fields.toggle("isActive")}
        />
        <PriceFields form={form} fields={fields} timeZone={timeZone} />
        <SwitchField
          label={labels.hasEvenPacing}
          hint="Spreads delivery evenly between the start and end dates"
          {...fields.toggle("hasEvenPacing")}
        />
        <RuleFields
          form={form}
          fields={fields}
          timeZone={timeZone}
          isOpen={needsRules(form, problemOf)}
          onDevices={(targetDevices) => set({ targetDevices })}
        />
        {hint}
      </ModalForm>
      {isAdvertiserNew ? (
        <AdvertiserDialog
          advertiser={null}
          onSaved={({ id }) => set({ advertiserId: id })}
          onClose={() => setAdvertiserNew(false)}
        />
      ) : null}
    </>
  );
}

interface FieldProps {
  form: CampaignForm;
  fields: BoundFields<CampaignForm>;
  timeZone: string;
}

type TextName = NamesOf<CampaignForm, string>;

/** Fields bound to the form. */
function campaignFields(fields: BoundFields<CampaignForm>, timeZone: string) {
  const text = (field: TextName, hint?: ReactNode) => (
    <TextField label={labels[field]} hint={hint} maxLength={2000} {...fields.text(field)} />
  );
  const number = (field: TextName, hint?: string) => (
    <TextField label={labels[field]} hint={hint} inputMode="decimal" {...fields.text(field)} />
  );
  const date = (field: TextName) => (
    <TextField
      label={labels[field]}
      type="datetime-local"
      hint={dateHint(fields.text(field).value, timeZone)}
      {...fields.text(field)}
    />
  );
  return { text, date, number };
}

function PriceFields({ form, fields, timeZone }: FieldProps) {
  const { text, number } = campaignFields(fields, timeZone);
  const hasBudget = form.priceModel === "cpm" || form.priceModel === "cpc";

  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={labels.priceModel}
        options={optionsOf(priceLabels)}
        {...fields.text("priceModel")}
      />
      {form.priceModel === "none" ? null : (
        <>
          {number("price")}
          {text("currency", "EUR, USD, ...")}
          {hasBudget ? number("budget", "Delivery stops when the budget is spent") : null}
        </>
      )}
    </div>
  );
}

/** Caps and targets. Collapsed while they are empty. */
function RuleFields({
  form,
  fields,
  timeZone,
  isOpen,
  onDevices,
}: FieldProps & { isOpen: boolean; onDevices: (devices: AdDevice[]) => void }) {
  const { text, number } = campaignFields(fields, timeZone);
  const slugHint = (kind: ComponentProps<typeof SlugHint>["kind"], field: TextName) => (
    <SlugHint kind={kind} value={form[field]} />
  );
  return (
    <Disclosure title="Caps and targets" isOpen={isOpen}>
      <div className="grid gap-4 sm:grid-cols-2">
        {number("hourlyCap", "Total for all ads. Leave empty for no limit")}
        {number("dailyCap", messages.dayHint(timeZone))}
        {number("lifetimeCap", "Leave empty for no limit")}
        {number("visitorDailyCap", messages.dayHint(timeZone))}
        {text("separation", "Campaigns with the same keyword never appear together")}
        {text("targetCategories", slugHint("categories", "targetCategories"))}
        {text("targetTags", slugHint("tags", "targetTags"))}
        {text("targetLanguages", languageHint(form.targetLanguages))}
        {text("targetCountries", "DE, US, ... Requires GEO_HEADER")}
        {text("targetReferrals", slugHint("referrals", "targetReferrals"))}
        <TextAreaField
          label={labels.targetHours}
          hint={`One time window per line, such as mon-fri 08-18, in ${timeZone} time`}
          rows={3}
          {...fields.text("targetHours")}
        />
        <CheckList
          legend="Devices (choose none to include all)"
          options={adDevices.map((value) => ({ value, label: deviceLabels[value] }))}
          chosen={form.targetDevices}
          onChosen={onDevices}
        />
      </div>
    </Disclosure>
  );
}

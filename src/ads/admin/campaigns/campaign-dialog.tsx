import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ComponentProps, type ReactNode } from "react";
import { adDevices } from "../../contract/ads.ts";
import type { Campaign } from "../../contract/campaigns.ts";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { deviceLabels } from "../ads/messages.ts";
import { SlugHint } from "../ads/slug-hint.tsx";
import { CheckList } from "#web/features/admin/shared/check-list.tsx";
import { Disclosure } from "#web/features/admin/shared/disclosure.tsx";
import { EditConflict } from "#web/features/admin/shared/editing/edit-conflict.tsx";
import { useEditedForm } from "#web/features/admin/shared/editing/use-edited-form.ts";
import { ModalForm } from "#web/features/admin/shared/modal-form.tsx";
import { advertisersQuery, campaignsKey, getCampaign, saveCampaign } from "./api/campaign-calls.ts";
import {
  campaignForm,
  campaignLabels as labels,
  campaignMerge,
  emptyCampaignForm,
  needsRules,
  readCampaignForm,
  type CampaignForm,
  type TextName,
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
  const client = useQueryClient();
  const campaign = isCopy ? null : given;
  const emptyForm: CampaignForm =
    given === null
      ? emptyCampaignForm
      : { ...campaignForm(given, timeZone), name: messages.copyName(given.name), isActive: false };
  const advertisers = useQuery(advertisersQuery);
  const edit = useEditedForm<Campaign | null, CampaignForm>({
    item: campaign,
    formOf: (item) => (item === null ? emptyForm : campaignForm(item, timeZone)),
    merge: campaignMerge,
    async save(base, filled) {
      const read = readCampaignForm(filled, timeZone);
      if (!read.ok) return undefined;
      return saveCampaign(base?.id ?? null, { ...read.input, version: base?.version });
    },
    load: async () => (campaign === null ? null : getCampaign(campaign.id)),
  });
  const { form, set } = edit;
  const [isJudged, setJudged] = useState(false);
  const reading = readCampaignForm(form, timeZone);
  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: (isSaved) => {
      if (isSaved) onClose();
    },
    meta: { failure: messages.saveFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: campaignsKey }),
  });

  const problemOf = (field: string): string | null => {
    const own = isJudged && !reading.ok ? reading.problems.get(field) : undefined;
    return own ?? issueOf(saving.error, field);
  };
  const submit = () => {
    setJudged(true);
    if (reading.ok) saving.mutate();
  };
  const fields = { form, set, problemOf, timeZone };
  const { bind, date, number } = campaignFields(form, set, problemOf, timeZone);
  const nameOf = (field: string, value: string): string => {
    if (field !== "advertiserId") return optionLabels[field]?.[value] ?? value;
    return advertisers.data?.find(({ id }) => id === value)?.name ?? value;
  };
  return (
    <ModalForm
      isOpen
      size="large"
      title={isCopy ? messages.copyTitle : campaign === null ? messages.add : messages.edit}
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
        <TextField label={labels.name} required maxLength={200} {...bind("name")} />
        <SelectField
          label={labels.advertiserId}
          required
          options={[
            { value: "", label: "Choose..." },
            ...(advertisers.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...bind("advertiserId")}
        />
        {date("startDate")}
        {date("endDate")}
        <SelectField
          label={labels.priority}
          options={optionsOf(priorityLabels)}
          {...bind("priority")}
        />
        <SelectField
          label={labels.rotation}
          options={optionsOf(rotationLabels)}
          {...bind("rotation")}
        />
        <SelectField label={labels.goal} options={optionsOf(goalLabels)} {...bind("goal")} />
        {form.goal === "none" ? null : number("goalAmount")}
      </div>
      <SwitchField
        label={labels.isActive}
        hint="Shown between its start and end dates"
        checked={form.isActive}
        onChange={(event) => set({ isActive: event.target.checked })}
      />
      <PriceFields {...fields} />
      <SwitchField
        label={labels.hasEvenPacing}
        hint="Spreads delivery evenly between the start and end dates"
        checked={form.hasEvenPacing}
        onChange={(event) => set({ hasEvenPacing: event.target.checked })}
      />
      <RuleFields {...fields} />
      {isJudged && !reading.ok ? (
        <p role="alert" className="text-sm text-danger-text">
          Check the highlighted fields.
        </p>
      ) : null}
    </ModalForm>
  );
}

type ProblemOf = (field: string) => string | null;
type SetForm = (values: Partial<CampaignForm>) => void;

interface FieldProps {
  form: CampaignForm;
  set: SetForm;
  problemOf: ProblemOf;
  timeZone: string;
}

/** Fields bound to the form. */
function campaignFields(form: CampaignForm, set: SetForm, problemOf: ProblemOf, timeZone: string) {
  const bind = (field: TextName) => ({
    value: form[field],
    error: problemOf(field),
    onChange: (event: { target: { value: string } }) => set({ [field]: event.target.value }),
  });
  const text = (field: TextName, hint?: ReactNode) => (
    <TextField label={labels[field]} hint={hint} maxLength={2000} {...bind(field)} />
  );
  const number = (field: TextName, hint?: string) => (
    <TextField label={labels[field]} hint={hint} inputMode="decimal" {...bind(field)} />
  );
  const date = (field: TextName) => (
    <TextField
      label={labels[field]}
      type="datetime-local"
      hint={messages.inZone(timeZone)}
      {...bind(field)}
    />
  );
  return { bind, text, date, number };
}

function PriceFields({ form, set, problemOf, timeZone }: FieldProps) {
  const { bind, text, number } = campaignFields(form, set, problemOf, timeZone);
  const hasBudget = form.priceModel === "cpm" || form.priceModel === "cpc";

  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={labels.priceModel}
        options={optionsOf(priceLabels)}
        {...bind("priceModel")}
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
function RuleFields({ form, set, problemOf, timeZone }: FieldProps) {
  const { bind, text, number } = campaignFields(form, set, problemOf, timeZone);
  const slugHint = (kind: ComponentProps<typeof SlugHint>["kind"], field: TextName) => (
    <SlugHint kind={kind} value={form[field]} />
  );
  return (
    <Disclosure title="Caps and targets" isOpen={needsRules(form, problemOf)}>
      <div className="grid gap-4 sm:grid-cols-2">
        {number("hourlyCap", "Total for all ads. Leave empty for no limit")}
        {number("dailyCap", messages.dayHint(timeZone))}
        {number("lifetimeCap", "Leave empty for no limit")}
        {number("visitorDailyCap", messages.dayHint(timeZone))}
        {text("separation", "Campaigns with the same keyword never appear together")}
        {text("targetCategories", slugHint("categories", "targetCategories"))}
        {text("targetTags", slugHint("tags", "targetTags"))}
        {text("targetLanguages", "en, pt-br, ...")}
        {text("targetCountries", "DE, US, ... Requires GEO_HEADER")}
        {text("targetReferrals", slugHint("referrals", "targetReferrals"))}
        <TextAreaField
          label={labels.targetHours}
          hint={messages.hoursHint(timeZone)}
          rows={3}
          {...bind("targetHours")}
        />
        <CheckList
          legend="Devices (choose none to include all)"
          options={adDevices.map((value) => ({ value, label: deviceLabels[value] }))}
          chosen={form.targetDevices}
          onChosen={(targetDevices) => set({ targetDevices })}
        />
      </div>
    </Disclosure>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { adDevices } from "../../../../contract/ads.ts";
import type { Campaign } from "../../../../contract/campaigns.ts";
import type { CampaignInput } from "../../../../contract/campaigns.input.ts";
import {
  SelectField,
  SwitchField,
  TextAreaField,
  TextField,
} from "../../../components/ui/field.tsx";
import { issueOf } from "../../../lib/api/issue-of.ts";
import { deviceLabels } from "../ads/messages.ts";
import { CheckList } from "../shared/check-list.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { advertisersQuery, campaignsKey, saveCampaign } from "./api/campaign-calls.ts";
import {
  campaignForm,
  emptyCampaignForm,
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

/** Adds or edits a campaign. */
export function CampaignDialog({
  campaign,
  onClose,
}: {
  /** Null for a new one. */
  campaign: Campaign | null;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const advertisers = useQuery(advertisersQuery);
  const initial = campaign === null ? emptyCampaignForm : campaignForm(campaign);
  const [form, setForm] = useState(initial);
  const [isJudged, setJudged] = useState(false);
  const set = (change: Partial<CampaignForm>) => setForm((current) => ({ ...current, ...change }));
  const reading = readCampaignForm(form);
  const saving = useMutation({
    mutationFn: (input: CampaignInput) => saveCampaign(campaign?.id ?? null, input),
    onSuccess: onClose,
    meta: { failure: messages.saveFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: campaignsKey }),
  });

  const problemOf = (field: string): string | null => {
    const own = isJudged && !reading.ok ? reading.problems.get(field) : undefined;
    return own ?? issueOf(saving.error, field);
  };
  const submit = () => {
    setJudged(true);
    if (reading.ok) saving.mutate(reading.input);
  };
  const bind = (field: TextName) => ({
    value: form[field],
    error: problemOf(field),
    onChange: (event: { target: { value: string } }) => set({ [field]: event.target.value }),
  });
  const text = (field: TextName, label: string, hint?: string) => (
    <TextField label={label} hint={hint} maxLength={2000} {...bind(field)} />
  );
  const number = (field: TextName, label: string, hint?: string) => (
    <TextField label={label} hint={hint} inputMode="decimal" {...bind(field)} />
  );
  const hasBudget = form.priceModel === "cpm" || form.priceModel === "cpc";

  return (
    <ModalForm
      isOpen
      size="large"
      title={campaign === null ? messages.add : messages.edit}
      submitLabel={campaign === null ? "Create" : "Update"}
      busyLabel="Saving..."
      isBusy={saving.isPending}
      isDirty={JSON.stringify(form) !== JSON.stringify(initial)}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Name" required maxLength={200} {...bind("name")} />
        <SelectField
          label="Advertiser"
          required
          options={[
            { value: "", label: "Choose..." },
            ...(advertisers.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...bind("advertiserId")}
        />
        <TextField label="Start" type="datetime-local" {...bind("startDate")} />
        <TextField label="End" type="datetime-local" {...bind("endDate")} />
        <SelectField label="Priority" options={optionsOf(priorityLabels)} {...bind("priority")} />
        <SelectField
          label="Ads take turns"
          options={optionsOf(rotationLabels)}
          {...bind("rotation")}
        />
        <SelectField label="Goal" options={optionsOf(goalLabels)} {...bind("goal")} />
        {form.goal === "none" ? null : number("goalAmount", "How many")}
      </div>
      <SwitchField
        label="Active"
        hint="Shown inside its dates"
        checked={form.isActive}
        onChange={(event) => set({ isActive: event.target.checked })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Price" options={optionsOf(priceLabels)} {...bind("priceModel")} />
        {form.priceModel === "none" ? null : (
          <>
            {number("price", "Amount")}
            {text("currency", "Currency", "EUR, USD, ...")}
            {hasBudget ? number("budget", "Budget", "Delivery stops when it is used up") : null}
          </>
        )}
      </div>
      <SwitchField
        label="Even pacing"
        hint="Spreads goal and budget over the dates"
        checked={form.hasEvenPacing}
        onChange={(event) => set({ hasEvenPacing: event.target.checked })}
      />
      <Disclosure title="Caps and targets">
        <div className="grid gap-4 sm:grid-cols-2">
          {number("hourlyCap", "Impressions per hour", "Of all its ads; empty is no limit")}
          {number("dailyCap", "Impressions per day", "In UTC; empty is no limit")}
          {number("lifetimeCap", "Impressions altogether", "Empty is no limit")}
          {text(
            "separation",
            "Competitors",
            "Campaigns with the same word are never shown together",
          )}
          {text("targetCategories", "Categories", "Slugs, separated by commas")}
          {text("targetTags", "Tags", "Slugs, separated by commas")}
          {text("targetLanguages", "Languages", "en, pt-br, ...")}
          {text("targetCountries", "Countries", "DE, US, ... Needs GEO_HEADER")}
          {text("targetReferrals", "Referral links", "Codes of links by which visitors came")}
          <TextAreaField
            label="Hours of the week"
            hint="In UTC, one window on each line: mon-fri 08-18"
            rows={3}
            {...bind("targetHours")}
          />
          <CheckList
            legend="Devices (none is all of them)"
            options={adDevices.map((value) => ({ value, label: deviceLabels[value] }))}
            chosen={form.targetDevices}
            onChosen={(targetDevices) => set({ targetDevices })}
          />
        </div>
      </Disclosure>
      {isJudged && !reading.ok ? (
        <p role="alert" className="text-sm text-danger-text">
          Some fields need another look.
        </p>
      ) : null}
    </ModalForm>
  );
}

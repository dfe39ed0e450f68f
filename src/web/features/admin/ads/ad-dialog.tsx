import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Ad } from "../../../../contract/ads.ts";
import type { AdInput } from "../../../../contract/ads.input.ts";
import { limits } from "../../../../contract/limits.ts";
import { Button } from "../../../components/ui/button.tsx";
import { confirmAction } from "../../../components/ui/confirm-dialog.tsx";
import {
  SelectField,
  SwitchField,
  TextAreaField,
  TextField,
} from "../../../components/ui/field.tsx";
import { issueOf } from "../../../lib/api/issue-of.ts";
import { campaignsQuery } from "../campaigns/api/campaign-calls.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { useCan } from "../shared/use-can.ts";
import { saveAd } from "./api/change-ad.ts";
import { adListKey } from "./api/list-ads.ts";
import { adForm, emptyAdForm, readAdForm, type AdForm } from "./ad-form.ts";
import { CreativeFindings } from "./creative-findings.tsx";
import { DeliveryFields } from "./delivery-fields.tsx";
import { adMessages as messages, placementOptions, typeOptions } from "./messages.ts";
import { AdPreview } from "./preview/ad-preview.tsx";

const pleaseChoose = { value: "", label: "Choose..." };

/** Adds or edits an ad. The page shows failures too. */
export function AdDialog({
  ad,
  onClose,
  onFailure,
  onTest,
}: {
  /** Null for a new one. */
  ad: Ad | null;
  onClose: () => void;
  onFailure: (message: string | null) => void;
  onTest: (url: string) => void;
}) {
  const client = useQueryClient();
  const campaigns = useQuery(campaignsQuery);
  const mayApprove = useCan()("ads.approve");
  const initial = ad === null ? emptyAdForm : adForm(ad);
  const [form, setForm] = useState(initial);
  const [isJudged, setJudged] = useState(false);
  const set = (change: Partial<AdForm>) => setForm((current) => ({ ...current, ...change }));
  const reading = readAdForm(form);

  const saving = useMutation({
    mutationFn: (input: AdInput) => saveAd(ad?.id ?? null, input),
    onSuccess: () => {
      onFailure(null);
      onClose();
    },
    onError: (error) => {
      console.warn("An ad was not saved", error);
      onFailure(messages.saveFailed);
    },
    onSettled: () => void client.invalidateQueries({ queryKey: adListKey }),
  });

  const problemOf = (field: string): string | null => {
    const own = isJudged && !reading.ok ? reading.problems.get(field) : undefined;
    return own ?? issueOf(saving.error, field);
  };
  const submit = async () => {
    setJudged(true);
    if (!reading.ok) return;
    const becomesTrusted = form.trust === "page" && initial.trust !== "page";
    if (
      becomesTrusted &&
      !(await confirmAction(messages.confirmTrust, { confirmLabel: "Trust it", isDanger: true }))
    ) {
      return;
    }
    saving.mutate(reading.input);
  };
  const text = (field: "imageUrl" | "linkUrl", label: string, hint: string) => (
    <TextField
      label={label}
      hint={hint}
      // A path of this site is valid too. The browser's check for `url` would reject it.
      type="text"
      inputMode="url"
      maxLength={2000}
      value={form[field]}
      error={problemOf(field)}
      onChange={(event) => set({ [field]: event.target.value })}
    />
  );

  return (
    <ModalForm
      isOpen
      size="large"
      title={ad === null ? messages.add : messages.edit}
      submitLabel={ad === null ? "Create" : "Update"}
      busyLabel="Saving..."
      isBusy={saving.isPending}
      isDirty={JSON.stringify(form) !== JSON.stringify(initial)}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {saving.isError ? (
        <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-danger-text">
          {messages.saveFailed}
        </p>
      ) : null}
      <TextField
        label="Title"
        required
        maxLength={limits.titleMax}
        value={form.title}
        error={problemOf("title")}
        onChange={(event) => set({ title: event.target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Type"
          required
          options={form.type === "" ? [pleaseChoose, ...typeOptions] : typeOptions}
          value={form.type}
          error={problemOf("type")}
          onChange={(event) => set({ type: event.target.value })}
        />
        <SelectField
          label="Placement"
          required
          options={form.placement === "" ? [pleaseChoose, ...placementOptions] : placementOptions}
          value={form.placement}
          error={problemOf("placement")}
          onChange={(event) => set({ placement: event.target.value })}
        />
      </div>
      <SelectField
        label="Campaign"
        hint={messages.campaignHint}
        options={[
          { value: "", label: messages.alone },
          ...(campaigns.data ?? []).map(({ id, name, advertiserName }) => ({
            value: id,
            label: `${name} (${advertiserName})`,
          })),
        ]}
        value={form.campaignId}
        error={problemOf("campaignId")}
        onChange={(event) => set({ campaignId: event.target.value })}
      />
      <TextField
        label="Description"
        maxLength={2000}
        value={form.description}
        error={problemOf("description")}
        onChange={(event) => set({ description: event.target.value })}
      />
      {form.type === "video" ? (
        <TextField
          label="VAST/Video URL"
          hint="A direct .mp4 or .webm link, or a VAST tag"
          type="text"
          inputMode="url"
          maxLength={2000}
          value={form.vastTagUrl}
          error={problemOf("vastTagUrl")}
          onChange={(event) => set({ vastTagUrl: event.target.value })}
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        {text("imageUrl", "Image URL", "Shown where there is no HTML")}
        {text("linkUrl", "Link URL", "Where a click leads")}
      </div>
      <TextAreaField
        label="Content"
        hint="HTML, may hold scripts"
        rows={5}
        spellCheck={false}
        value={form.content}
        error={problemOf("content")}
        onChange={(event) => set({ content: event.target.value })}
      />
      {form.content.trim() === "" && form.trust === "isolated" ? null : (
        <div className="grid gap-2">
          <SwitchField
            label="Trusted, runs in the page"
            hint="Off: scripts run in a frame of their own and reach nothing of the site"
            checked={form.trust === "page"}
            disabled={!mayApprove}
            onChange={(event) => set({ trust: event.target.checked ? "page" : "isolated" })}
          />
          {form.trust === "page" ? (
            <p className="rounded-md bg-danger-soft px-4 py-3 text-sm text-danger-text">
              {messages.trustWarning}
            </p>
          ) : null}
        </div>
      )}
      {form.content.trim() === "" ? null : (
        <TextAreaField
          label={messages.origins}
          hint={messages.originsHint}
          rows={2}
          spellCheck={false}
          value={form.origins}
          error={problemOf("origins")}
          onChange={(event) => set({ origins: event.target.value })}
        />
      )}
      <AdPreview
        form={form}
        onAllow={(origin) => set({ origins: `${form.origins.trim()}\n${origin}`.trim() })}
      />
      <CreativeFindings form={form} />
      {form.type === "video" && /^https?:/.test(form.vastTagUrl.trim()) ? (
        <Button className="justify-self-start" onClick={() => onTest(form.vastTagUrl.trim())}>
          Test this tag
        </Button>
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Start Date"
          type="datetime-local"
          value={form.startDate}
          error={problemOf("startDate")}
          onChange={(event) => set({ startDate: event.target.value })}
        />
        <TextField
          label="End Date"
          type="datetime-local"
          value={form.endDate}
          error={problemOf("endDate")}
          onChange={(event) => set({ endDate: event.target.value })}
        />
        <TextField
          label="Width"
          hint="Of the creative, in pixels: its space is reserved"
          inputMode="numeric"
          value={form.widthPx}
          error={problemOf("widthPx")}
          onChange={(event) => set({ widthPx: event.target.value })}
        />
        <TextField
          label="Height"
          inputMode="numeric"
          value={form.heightPx}
          error={problemOf("heightPx")}
          onChange={(event) => set({ heightPx: event.target.value })}
        />
      </div>
      <SwitchField
        label="Active"
        hint="Shown inside its dates"
        checked={form.isActive}
        onChange={(event) => set({ isActive: event.target.checked })}
      />
      {mayApprove ? null : <p className="text-sm text-ink-11">{messages.waitsNote}</p>}
      <DeliveryFields form={form} problemOf={problemOf} set={set} />
      {isJudged && !reading.ok ? (
        <p role="alert" className="text-sm text-danger-text">
          Some fields need another look.
        </p>
      ) : null}
    </ModalForm>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, type SubmitEvent } from "react";
import { efficientModes } from "#contract/videos/ladders.ts";
import { languageCodes, languages } from "#contract/site/languages.ts";
import type { SitePicture, sitePictures, SiteSettings } from "#contract/site/settings.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { adminHandle } from "../shared/admin-handle.ts";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { EditConflict } from "../shared/editing/edit-conflict.tsx";
import { useEditedForm } from "../shared/editing/use-edited-form.ts";
import { notify } from "../shared/notices.tsx";
import { PageHeader } from "../shared/page-header.tsx";
import { useUnsaved } from "../shared/unsaved.ts";
import { Section } from "../shared/section.tsx";
import { readSettings, saveSettings, settingsKey, settingsQuery } from "./api/settings-calls.ts";
import { AccentField, accentError } from "./accent-field.tsx";
import { AdSettings } from "./ad-settings.tsx";
import { settingsMessages as messages } from "./messages.ts";
import { PictureUpload } from "./picture-upload.tsx";
import {
  formOf,
  parseTimes,
  settingsMerge,
  type BindSetting,
  type SettingsForm,
} from "./settings-form.ts";
import { SitePreview } from "./site-preview.tsx";
import { SettingsPreview } from "./settings-preview.tsx";
import { QueryError } from "../shared/query-error.tsx";

export const handle = adminHandle("Settings");

/** An uploaded picture has a path of this site, which a field for addresses does not take. */
const urlType = (value: string) => (value.startsWith("/") ? "text" : "url");

export function Component() {
  const settings = useQuery(settingsQuery);
  useEffect(() => {
    // A failed load is logged; the page offers to try again.
    if (settings.error !== null) console.warn("The settings could not be loaded", settings.error);
  }, [settings.error]);

  return (
    <>
      <PageHeader title={messages.title}>
        <a href="/admin/settings/texts" className={buttonClass({ kind: "quiet" })}>
          {messages.texts}
        </a>
      </PageHeader>
      {settings.isError ? (
        <QueryError message="Failed to load settings" query={settings} />
      ) : settings.data === undefined ? (
        <Spinner label={messages.loading} />
      ) : (
        <SettingsEditor settings={settings.data} />
      )}
    </>
  );
}

function SettingsEditor({ settings }: { settings: SiteSettings }) {
  const client = useQueryClient();
  const edit = useEditedForm<SiteSettings, SettingsForm>({
    item: settings,
    formOf,
    merge: settingsMerge,
    save: (base, filled) => saveSettings(filled, base.version),
    load: readSettings,
  });
  const { base, form, set } = edit;
  // Loaded again, as by a return to this tab. What was typed stays, and is merged when it is saved.
  if (settings.version > base.version && !edit.isDirty) edit.rebase(settings);
  useUnsaved(edit.isDirty);

  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: async (isSaved) => {
      if (isSaved) notify.success(messages.saved);
      await client.invalidateQueries({ queryKey: settingsKey });
    },
    meta: { failure: messages.saveFailed, isFailurePlain: true },
  });
  const areTimesWrong = parseTimes(form.midrollTimes) === undefined;
  const isWrong =
    areTimesWrong || accentError(form.accentColor) !== null || edit.clashes.length > 0;
  /** A picture is saved already; what else was typed is not. */
  const takePicture = (name: (typeof sitePictures)[SitePicture]) => (saved: SiteSettings) => {
    client.setQueryData(settingsKey, saved);
    edit.rebase(saved, { ...form, [name]: saved[name] ?? "" });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!saving.isPending && !isWrong) saving.mutate();
  };
  const text: BindSetting = (name) => ({
    value: form[name],
    error: issueOf(saving.error, name),
    onChange: (event) => set({ [name]: event.target.value }),
  });

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <form onSubmit={submit} className="grid max-w-3xl gap-6">
        <Section title={messages.basic}>
          <TextField label={messages.siteName} maxLength={100} {...text("siteName")} />
          <TextAreaField
            label={messages.siteDescription}
            rows={3}
            maxLength={2000}
            {...text("siteDescription")}
          />
          <TextField label={messages.siteUrl} type="url" maxLength={2000} {...text("siteUrl")} />
          <SelectField
            label={messages.language}
            hint={messages.languageHint}
            className="[&_select]:max-w-60"
            value={form.language}
            error={issueOf(saving.error, "language")}
            onChange={({ target }) =>
              set({ language: languageCodes.find((code) => code === target.value) ?? "en" })
            }
            options={languages.map(({ code, name }) => ({ value: code, label: name }))}
          />
        </Section>
        <Section title={messages.branding}>
          <TextField
            label={messages.logoUrl}
            type={urlType(form.logoUrl)}
            hint={messages.logoHint}
            maxLength={2000}
            {...text("logoUrl")}
          />
          <PictureUpload picture="logo" onSaved={takePicture("logoUrl")} />
          <TextField
            label={messages.faviconUrl}
            type={urlType(form.faviconUrl)}
            hint={messages.faviconHint}
            maxLength={2000}
            {...text("faviconUrl")}
          />
          <PictureUpload picture="favicon" onSaved={takePicture("faviconUrl")} />
          <AccentField
            value={form.accentColor}
            error={issueOf(saving.error, "accentColor")}
            onValue={(accentColor) => set({ accentColor })}
          />
        </Section>
        <Section title={messages.browsing}>
          <TextField
            label={messages.filterCategories}
            hint={messages.filterCategoriesHint}
            {...text("filterCategories")}
          />
          <SwitchField
            label={messages.browseListings}
            hint={messages.browseListingsHint}
            checked={form.browseListings}
            onChange={(event) => set({ browseListings: event.target.checked })}
          />
        </Section>
        <Section title={messages.playing}>
          <SwitchField
            label={messages.evenLoudness}
            hint={messages.evenLoudnessHint}
            checked={form.evenLoudness}
            onChange={(event) => set({ evenLoudness: event.target.checked })}
          />
        </Section>
        <Section title={messages.originals}>
          <SwitchField
            label={messages.keepOriginals}
            hint={messages.keepOriginalsHint}
            checked={form.keepOriginals}
            onChange={(event) => set({ keepOriginals: event.target.checked })}
          />
          <SelectField
            label={messages.efficient}
            hint={messages.efficientHint}
            options={efficientModes.map((value) => ({
              value,
              label: messages.efficientModes[value],
            }))}
            {...text("efficientRenditions")}
          />
        </Section>
        <Section title={messages.trash}>
          <TextField
            label={messages.trashDays}
            hint={messages.trashDaysHint}
            type="number"
            min={0}
            max={365}
            step={1}
            required
            hasMark={false}
            className="[&_input]:max-w-40"
            {...text("trashDays")}
          />
        </Section>
        <AdSettings text={text} areTimesWrong={areTimesWrong} />
        <Section title={messages.pages} hint={messages.pagesHint}>
          <TextAreaField label={messages.terms} rows={5} {...text("terms")} />
          <TextAreaField label={messages.privacy} rows={5} {...text("privacy")} />
          <TextAreaField label={messages.contact} rows={5} {...text("contact")} />
        </Section>
        <Section title={messages.legal}>
          <TextField
            label={messages.sourceUrl}
            type="url"
            hint={messages.sourceHint}
            maxLength={2000}
            {...text("sourceUrl")}
          />
          <TextField
            label={messages.securityContact}
            hint={messages.securityHint}
            maxLength={500}
            {...text("securityContact")}
          />
        </Section>
        <EditConflict edit={edit} />
        <div className="sticky bottom-0 border-t border-line bg-ink-1 py-4">
          <Button kind="primary" type="submit" disabled={saving.isPending || isWrong}>
            {saving.isPending ? messages.saving : messages.save}
          </Button>
        </div>
      </form>
      <div>
        <SettingsPreview form={form} />
        <SitePreview accent={form.accentColor} version={String(base.version)} />
      </div>
    </div>
  );
}

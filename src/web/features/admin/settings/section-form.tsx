import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode, SubmitEvent } from "react";
import type { SiteSettings } from "#contract/site/settings.ts";
import { Button } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { issueOf } from "#web/lib/api/failures.ts";
import { bindFields } from "../shared/bind-fields.ts";
import { EditConflict } from "../shared/editing/edit-conflict.tsx";
import { useEditedForm } from "../shared/editing/use-edited-form.ts";
import { notify } from "../shared/notices.tsx";
import { useUnsaved } from "../shared/unsaved.ts";
import { readSettings, saveSettings, settingsKey } from "./calls.ts";
import { formOf, settingsMerge, type SettingsForm } from "./settings-form.ts";
import { settingsSections, type SectionName } from "./settings-sections.ts";

/** A settings section that is being edited. */
export const useSectionEdit = (settings: SiteSettings, section: SectionName) =>
  useSettingsEdit(settings, settingsSections[section].fields);

/** Settings that are edited and saved together. */
export function useSettingsEdit(settings: SiteSettings, names: readonly (keyof SettingsForm)[]) {
  const client = useQueryClient();
  const edit = useEditedForm<SiteSettings, SettingsForm>({
    item: settings,
    formOf,
    merge: settingsMerge,
    save: (base, filled) => saveSettings(filled, names, base.version),
    load: readSettings,
  });
  // Other settings were saved, or the settings were reloaded. Unsaved input stays and is merged
  // when saved.
  if (settings.version > edit.base.version && !edit.isDirty) edit.rebase(settings);
  useUnsaved(edit.isDirty);
  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: async (isSaved) => {
      if (isSaved) notify.success("Settings saved successfully!");
      await client.invalidateQueries({ queryKey: settingsKey });
    },
    meta: { failure: "Failed to save settings", hidesFailureReason: true },
  });
  const isDisabled = saving.isPending || edit.clashes.length > 0;
  return {
    edit,
    isSaving: saving.isPending,
    isDisabled,
    submit(event: SubmitEvent<HTMLFormElement>): void {
      event.preventDefault();
      if (!isDisabled) saving.mutate();
    },
    fields: bindFields(edit.form, edit.set, (name) => issueOf(saving.error, name)),
  };
}

export type SectionEdit = ReturnType<typeof useSectionEdit>;

/** Form of a section with its own Save button. */
export function SectionForm({
  section: { edit, isSaving, isDisabled, submit },
  name,
  isInvalid = false,
  isHidden,
  children,
}: {
  section: SectionEdit;
  name: SectionName;
  isInvalid?: boolean;
  /** True if the search hides the section. Unsaved input stays. */
  isHidden: boolean;
  children: ReactNode;
}) {
  const [title] = settingsSections[name].titles;
  return (
    <form onSubmit={submit} hidden={isHidden} aria-label={title} className="grid gap-6">
      {children}
      <EditConflict edit={edit} />
      <div
        data-end-bar
        className={classNames("pb-4", edit.isDirty && "sticky bottom-0 z-10 bg-ink-1 pt-3")}
      >
        <Button
          kind={edit.isDirty || name === "general" ? "primary" : "quiet"}
          type="submit"
          disabled={isDisabled || isInvalid}
          aria-label={name === "general" ? undefined : `Save ${title}`}
        >
          {isSaving ? "Saving..." : name === "general" ? "Save Settings" : "Save"}
        </Button>
      </div>
    </form>
  );
}

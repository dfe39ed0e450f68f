import type { ReactNode } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { commentModes } from "#contract/visitors/comments.ts";
import type { SettingsInput, SiteSettings } from "#contract/site/settings.ts";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { settingsQuery } from "../settings/calls.ts";
import { settingsMessages as messages } from "../settings/messages.ts";
import { useSettingsEdit, type SectionEdit } from "../settings/section-form.tsx";
import { adminSend } from "../shared/admin-api.ts";
import { EditConflict } from "../shared/editing/edit-conflict.tsx";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { Section } from "../shared/section.tsx";

/** Form with its own Save button. Unsaved input survives hiding. */
function SafetyForm({
  edited,
  submitLabel,
  isHidden,
  children,
}: {
  edited: SectionEdit;
  submitLabel: string;
  isHidden?: boolean;
  children: ReactNode;
}) {
  return (
    <form className="grid gap-3" hidden={isHidden} onSubmit={edited.submit}>
      {children}
      <EditConflict edit={edited.edit} />
      <div>
        <Button type="submit" disabled={edited.isDisabled}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** Form for the countries in which the site is blocked. */
function CountriesForm({ settings }: { settings: SiteSettings }) {
  const edited = useSettingsEdit(settings, ["blockedCountries"]);
  return (
    <SafetyForm edited={edited} submitLabel="Save countries">
      <TextField
        label={messages.blockedCountries}
        hint="Two-letter codes, such as DE, FR. Visitors there get status 451."
        autoCapitalize="characters"
        maxLength={1000}
        {...edited.fields.text("blockedCountries")}
      />
    </SafetyForm>
  );
}

/** Form for the filters that hold comments for approval. */
function CommentsForm({ settings }: { settings: SiteSettings }) {
  const edited = useSettingsEdit(settings, ["commentWords", "commentLinks"]);
  return (
    <SafetyForm edited={edited} submitLabel="Save filters" isHidden={settings.comments !== "open"}>
      <TextAreaField
        label={messages.commentWords}
        hint="One per line. Ignores case and accents. Also matches parts of words. Up to 500."
        dir="auto"
        {...edited.fields.text("commentWords")}
      />
      <TextField
        label={messages.commentLinks}
        hint="Comments with more links are held for approval."
        type="number"
        min={0}
        max={20}
        required
        {...edited.fields.text("commentLinks")}
      />
    </SafetyForm>
  );
}

const modeNames = { off: "Off", held: "Held for approval", open: "Open, with filters" } as const;

export const handle = adminHandle("Safety");

/** Settings that the law may require. Each one is saved separately. */
export function Component() {
  const client = useQueryClient();
  const settings = useQuery(settingsQuery);
  const saving = useMutation({
    mutationFn: (change: SettingsInput) =>
      adminSend("/api/settings", { method: "POST", body: change }),
    meta: { success: "Saved", failure: "Failed to save" },
    // Disabled until the new values are here.
    onSettled: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
  const { data } = settings;

  return (
    <>
      <PageHeader title="Safety" note="Tools that help you comply with the laws of your country" />
      {settings.isLoadingError ? (
        <QueryError message="Failed to load the settings" query={settings} />
      ) : data === undefined ? (
        // Empty switches would look like ones that are off.
        <Spinner label="Loading settings" />
      ) : (
        <div className="grid max-w-2xl gap-8">
          <Section
            title="Age"
            hint="Visitors confirm once per browser. Search engines still see your pages. Terms, privacy and takedown pages stay open."
          >
            <SwitchField
              label="Ask visitors if they're 18 or older"
              hint="Adds the RTA label to every response for parental control filters."
              checked={data.ageGate}
              disabled={saving.isPending}
              onChange={(event) => saving.mutate({ ageGate: event.target.checked })}
            />
          </Section>
          <Section
            title="Countries"
            hint="Set GEO_HEADER to the header your proxy uses for the visitor's country. To block a single video, open its menu and choose Restrictions."
          >
            <CountriesForm settings={data} />
          </Section>
          <Section
            title="Comments"
            hint="Visitors don't need an account. Held and reported comments appear under Comments."
          >
            <SelectField
              label="Comments below videos"
              value={data.comments}
              disabled={saving.isPending}
              onChange={({ target }) => {
                const comments = commentModes.find((mode) => mode === target.value);
                if (comments !== undefined) saving.mutate({ comments });
              }}
              options={commentModes.map((value) => ({ value, label: modeNames[value] }))}
            />
            <CommentsForm settings={data} />
          </Section>
          <Section
            title="Takedown notices"
            hint="Anyone can send a notice at /takedown. Notices appear under Reports."
          >
            <SwitchField
              label="Publish a list of removals"
              hint="Shown at /removals with a link in the footer. Private senders aren't named."
              checked={data.takedownLog}
              disabled={saving.isPending}
              onChange={(event) => saving.mutate({ takedownLog: event.target.checked })}
            />
          </Section>
        </div>
      )}
    </>
  );
}

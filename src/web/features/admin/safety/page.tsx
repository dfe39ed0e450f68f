import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { commentModes } from "#contract/visitors/comments.ts";
import type { SettingsInput } from "#contract/site/settings.ts";
import { SelectField, SwitchField } from "#web/components/ui/field.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { settingsQuery } from "../settings/api/settings-calls.ts";
import { adminHandle } from "../shared/admin-handle.ts";
import { notify } from "../shared/notices.tsx";
import { PageHeader } from "../shared/page-header.tsx";
import { Section } from "../shared/section.tsx";
import { CommentsForm } from "./comments-form.tsx";
import { CountriesForm } from "./countries-form.tsx";
import { saveSafety } from "./api/save-safety.ts";
import { safetyMessages as messages } from "./messages.ts";
import { QueryError } from "../shared/query-error.tsx";

export const handle = adminHandle(messages.title);

/** Settings that the law may require. Each one is saved separately. */
export function Component() {
  const client = useQueryClient();
  const settings = useQuery(settingsQuery);
  const saving = useMutation({
    mutationFn: (change: SettingsInput) => saveSafety(change),
    onSuccess: () => notify.success(messages.saved),
    meta: { failure: messages.saveFailed },
    // Disabled until the new values are here.
    onSettled: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
  const { data } = settings;

  return (
    <>
      <PageHeader title={messages.title} note={messages.note} />
      {settings.isError ? (
        <QueryError message={messages.loadFailed} query={settings} />
      ) : data === undefined ? (
        // Empty switches would look like ones that are off.
        <Spinner label={messages.loading} />
      ) : (
        <div className="grid max-w-2xl gap-8">
          <Section title={messages.age} hint={messages.ageHint}>
            <SwitchField
              label={messages.ageGate}
              hint={messages.ageGateHint}
              checked={data.ageGate}
              disabled={saving.isPending}
              onChange={(event) => saving.mutate({ ageGate: event.target.checked })}
            />
          </Section>
          <Section title={messages.countries} hint={messages.countriesHint}>
            <CountriesForm
              key={data.blockedCountries.join()}
              countries={data.blockedCountries}
              isDisabled={saving.isPending}
              error={issueOf(saving.error, "blockedCountries")}
              onSave={(blockedCountries) => saving.mutate({ blockedCountries })}
            />
          </Section>
          <Section title={messages.comments} hint={messages.commentsHint}>
            <SelectField
              label={messages.commentMode}
              value={data.comments}
              disabled={saving.isPending}
              onChange={({ target }) => {
                const comments = commentModes.find((mode) => mode === target.value);
                if (comments !== undefined) saving.mutate({ comments });
              }}
              options={commentModes.map((value) => ({ value, label: messages.modes[value] }))}
            />
            {data.comments === "open" ? (
              <CommentsForm
                key={`${data.commentWords.join()} ${data.commentLinks}`}
                words={data.commentWords}
                links={data.commentLinks}
                isDisabled={saving.isPending}
                errors={{
                  words: issueOf(saving.error, "commentWords"),
                  links: issueOf(saving.error, "commentLinks"),
                }}
                onSave={(rules) => saving.mutate(rules)}
              />
            ) : null}
          </Section>
          <Section title={messages.takedowns} hint={messages.takedownsHint}>
            <SwitchField
              label={messages.log}
              hint={messages.logHint}
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

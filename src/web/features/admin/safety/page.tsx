import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commentModes } from "#contract/visitors/comments.ts";
import type { SettingsInput } from "#contract/site/settings.ts";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { Button } from "#web/components/ui/button.tsx";
import { settingsQuery } from "../settings/calls.ts";
import { adminSend } from "../shared/admin-api.ts";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { Section } from "../shared/section.tsx";

/** Form for the countries in which the site is blocked. */
function CountriesForm({
  countries,
  isDisabled,
  error,
  onSave,
}: {
  countries: readonly string[];
  isDisabled: boolean;
  error: string | null;
  onSave: (countries: string[]) => void;
}) {
  const [text, setText] = useState(countries.join(", "));
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text.split(/[\s,]+/).filter((code) => code !== ""));
      }}
    >
      <TextField
        label="Blocked countries"
        hint="Two-letter codes, such as DE, FR. Visitors there get status 451."
        autoCapitalize="characters"
        maxLength={1000}
        value={text}
        error={error}
        onChange={(event) => setText(event.target.value)}
      />
      <div>
        <Button type="submit" disabled={isDisabled}>
          Save countries
        </Button>
      </div>
    </form>
  );
}

/** Form for the filters that hold comments for approval. */
function CommentsForm({
  words,
  links,
  isDisabled,
  errors,
  onSave,
}: {
  words: readonly string[];
  links: number;
  isDisabled: boolean;
  errors: { words: string | null; links: string | null };
  onSave: (rules: { commentWords: string[]; commentLinks: number }) => void;
}) {
  const [text, setText] = useState(words.join("\n"));
  const [count, setCount] = useState(String(links));
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const lines = text.split("\n").map((line) => line.trim());
        onSave({ commentWords: lines.filter((line) => line !== ""), commentLinks: Number(count) });
      }}
    >
      <TextAreaField
        label="Words that hold a comment for approval"
        hint="One per line. Case-insensitive. Also matches parts of words. Up to 500."
        dir="auto"
        value={text}
        error={errors.words}
        onChange={(event) => setText(event.target.value)}
      />
      <TextField
        label="Links in a comment"
        hint="Comments with more links are held for approval."
        type="number"
        min={0}
        max={20}
        required
        value={count}
        error={errors.links}
        onChange={(event) => setCount(event.target.value)}
      />
      <div>
        <Button type="submit" disabled={isDisabled}>
          Save filters
        </Button>
      </div>
    </form>
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
            <CountriesForm
              key={data.blockedCountries.join()}
              countries={data.blockedCountries}
              isDisabled={saving.isPending}
              error={issueOf(saving.error, "blockedCountries")}
              onSave={(blockedCountries) => saving.mutate({ blockedCountries })}
            />
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

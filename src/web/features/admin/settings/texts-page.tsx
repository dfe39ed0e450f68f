import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { languageCodes, languages, type Language } from "#contract/site/languages.ts";
import { siteText, siteTexts, type SiteText } from "#contract/site/own-texts.ts";
import { placeholderProblem } from "#contract/site/text-places.ts";
import { directionOf } from "#contract/site/translated-pages.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, TextAreaField } from "#web/components/ui/field.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import { adminCall } from "../shared/admin-api.ts";
import { ListPages } from "../shared/list-pages.tsx";
import { useListParams } from "../shared/list-params.ts";
import { notify } from "../shared/notices.tsx";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { discardThen, useUnsaved } from "../shared/unsaved.ts";

export const handle = adminHandle("Page texts");

/** Rows per page until the user chooses another number. */
const defaultPageSize = 50;

const keyOf = (language: Language) => ["admin", "texts", language] as const;

const textsQuery = (language: Language) =>
  queryOptions({
    queryKey: keyOf(language),
    queryFn: () => adminCall(`/api/admin/texts?language=${language}`, siteTexts),
  });

/** Returns the texts that contain all words. Without words, the operator's own texts come first. */
function findTexts(texts: readonly SiteText[], search: string): SiteText[] {
  const words = search.toLowerCase().split(/\s+/);
  return texts
    .filter(({ id, standard, own }) => {
      const all = `${id} ${standard} ${own ?? ""}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .toSorted((a, b) => Number(b.own !== null) - Number(a.own !== null));
}

/** Texts of the public pages, which the operator can replace in each language. */
export function Component() {
  const params = useListParams(defaultPageSize);
  const { page, pageSize, search } = params;
  const language = languageCodes.find((code) => code === params.get("language")) ?? "en";
  const texts = useQuery(textsQuery(language));
  const matches = texts.data === undefined ? [] : findTexts(texts.data, search);
  return (
    <>
      <PageHeader title="Page texts" note="Replace the texts that visitors see with your own" />
      <div className="grid max-w-5xl gap-5">
        <div className="grid items-end gap-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
          <SelectField
            label="Language"
            value={language}
            onChange={({ target: { value } }) => discardThen(() => params.set({ language: value }))}
            options={languages.map(({ code, name }) => ({ value: code, label: name }))}
          />
          <SearchField
            label="Search texts"
            placeholder="Search by text or key"
            value={search}
            onValue={(words) => discardThen(() => params.set({ search: words }))}
          />
        </div>
        <p className="text-ink-11">
          {
            "Plain text. Keep placeholders: {title} for a value, <link/> for a link or button, # for a number."
          }
        </p>
        {texts.isLoadingError ? (
          <QueryError message="Failed to load texts" query={texts} />
        ) : texts.data === undefined ? (
          <Spinner label="Loading texts" />
        ) : matches.length === 0 ? (
          <EmptyState title="No texts found">Try different words.</EmptyState>
        ) : (
          <>
            <p role="status" className="tabular text-ink-11">
              {countOf(matches.length, "text")}
            </p>
            {/* A new list of texts starts without the discarded changes. */}
            <ul key={`${language} ${pageSize} ${search}`} className="grid">
              {matches.slice((page - 1) * pageSize, page * pageSize).map((text) => (
                <TextEditor key={text.id} language={language} text={text} />
              ))}
            </ul>
            <ListPages params={params} total={matches.length} noun="texts" />
          </>
        )}
      </div>
    </>
  );
}

function TextEditor({ language, text }: { language: Language; text: SiteText }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const value = typed ?? text.own ?? "";
  const isChanged = value.trim() !== (text.own ?? "");
  useUnsaved(isChanged, { endsWithSearch: true });
  const saving = useMutation({
    mutationFn: (own: string | null) =>
      adminCall(`/api/admin/texts/${language}/${encodeURIComponent(text.id)}`, siteText, {
        method: "PUT",
        body: { text: own },
      }),
    onSuccess: (saved) => {
      notify.success(saved.own === null ? "Text reset to the default" : "Text saved");
      client.setQueryData<SiteText[]>(keyOf(language), (texts) =>
        texts?.map((each) => (each.id === saved.id ? saved : each)),
      );
    },
    meta: { failure: "Failed to save the text" },
  });
  const save = (own: string | null) =>
    saving.mutate(own, {
      // Input typed during the request is preserved.
      onSuccess: () => setTyped((now) => (now === typed ? null : now)),
    });
  const problem = value.trim() === "" ? null : placeholderProblem(text, value);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (saving.isPending || problem !== null || !isChanged) return;
    save(value.trim() === "" ? null : value.trim());
  };
  const direction = directionOf(language);
  return (
    <li className="border-t border-line py-4">
      <form onSubmit={submit} className="grid gap-3 lg:grid-cols-2 lg:gap-6" aria-label={text.id}>
        <div>
          <p lang={language} dir={direction} className="break-words whitespace-pre-line">
            {text.standard}
          </p>
          <p className="text-sm break-all text-ink-11">{text.id}</p>
        </div>
        <div className="grid gap-3">
          <TextAreaField
            label="Your text"
            isLabelHidden
            placeholder="Your text"
            rows={2}
            maxLength={2000}
            lang={language}
            dir={direction}
            value={value}
            error={problem ?? issueOf(saving.error, "text")}
            onChange={({ target }) => setTyped(target.value)}
          />
          {isChanged || text.own !== null ? (
            <div className="flex flex-wrap gap-2">
              <Button type="submit" kind="primary" disabled={!isChanged || problem !== null}>
                {saving.isPending ? "Saving..." : "Save"}
              </Button>
              {text.own === null ? null : (
                <Button type="button" kind="quiet" onClick={() => save(null)}>
                  Reset
                </Button>
              )}
            </div>
          ) : null}
        </div>
      </form>
    </li>
  );
}

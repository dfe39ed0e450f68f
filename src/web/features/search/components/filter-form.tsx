import { useEffect, useRef, type SubmitEvent } from "react";
import { useNavigate } from "react-router";
import { SelectField } from "#web/components/ui/field.tsx";
import { buttonClass } from "#web/components/ui/button.tsx";
import { useSite } from "#web/lib/page/site.ts";
import { parseSearch, searchHref, type SearchFilters } from "../search-filters.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const filterLabels = inLanguage("filters");
const messages = inLanguage("search");

const choices = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const filterNames = ["length", "date", "quality", "category", "sort"] as const;

/**
 * Form for the filters and the order of results. Every change opens a new URL. Without scripts, a
 * button submits the form.
 */
export function FilterForm({ term, filters }: { term: string; filters: SearchFilters }) {
  const navigate = useNavigate();
  const { settings } = useSite();
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef<SearchFilters | null>(null);

  const apply = () => {
    if (form.current === null) return;
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) {
      if (typeof value === "string") params.set(name, value);
    }
    const href = searchHref(term, parseSearch(params).filters);
    if (href !== searchHref(term, filters)) void navigate(href);
  };
  // Going back and clearing filters change the URL. The fields update in place, so that the
  // keyboard focus and the scroll position of the row are preserved.
  useEffect(() => {
    if (shown.current === filters) return;
    // Initially, the fields may contain choices made before the scripts loaded.
    if (shown.current === null) apply();
    else
      for (const name of filterNames) {
        const field = form.current?.elements.namedItem(name);
        if (field instanceof HTMLSelectElement) field.value = filters[name];
      }
    shown.current = filters;
  });
  const names = [...new Set([...settings.filterCategories, filters.category])];

  const fields = [
    { name: "length", options: choices(filterLabels.length) },
    { name: "date", options: choices(filterLabels.date) },
    { name: "quality", options: choices(filterLabels.quality) },
    {
      name: "category",
      options: [
        { value: "", label: messages.anyCategory },
        ...names.filter((name) => name !== "").map((name) => ({ value: name, label: name })),
      ],
    },
    { name: "sort", options: choices(filterLabels.sort) },
  ] as const;
  return (
    <form
      ref={form}
      action={pagePath("/search")}
      aria-label={messages.filters}
      onChange={apply}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        apply();
      }}
      // One row on phones and tablets, so that the first screen shows results. Hidden labels stay
      // inside it.
      className="relative -mx-4 mt-4 no-scrollbar flex gap-2 overflow-x-auto px-4 py-1 sm:-mx-6 sm:px-6 lg:mx-0 lg:flex-wrap lg:overflow-visible lg:px-0"
    >
      <input type="hidden" name="search" value={term} />
      {fields.map(({ name, options }) => (
        <SelectField
          key={name}
          label={messages.filterNames[name]}
          isLabelHidden
          name={name}
          defaultValue={filters[name]}
          options={options}
          // As wide as the selected option, in browsers that support it. Fields that shrink would
          // cut their text in the others.
          className="shrink-0 *:field-sizing-content"
        />
      ))}
      <noscript>
        <button type="submit" className={buttonClass({ kind: "quiet" })}>
          {messages.apply}
        </button>
      </noscript>
    </form>
  );
}

import { ChevronDownIcon, ListFilterIcon } from "lucide-react";
import { useCallback, useState, useEffect, useRef } from "react";
import { sortValues, limits } from "#contract/limits.ts";
import { ChipButton, chipClass, RemovableChip } from "#web/components/ui/chip.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { defaultSort, isSameFilters, parseFilters, type Filters } from "../filters.ts";
import { inLanguage, pagePath, plainPath } from "#web/lib/language/page-language.ts";
import { useNavigation } from "react-router";

const messages = inLanguage("home");
const sortLabels = inLanguage("sorts");

/** Returns changed filters. A sort order that is the default anyway is left out. */
const changed = (before: Filters, part: Partial<Filters>): Filters => {
  const after = { ...before, ...part };
  return after.sort === defaultSort(after) ? { ...after, sort: "" } : after;
};

const trimmed = (filters: Filters): Filters => ({ ...filters, search: filters.search.trim() });

/**
 * Returns a draft of the filters, which the form shows. Changes are reported after 500 ms without
 * another change. Any other navigation, such as Back or a link, replaces the draft and drops
 * changes that haven't been reported.
 */
function useQuietFilters(current: Filters, report: (filters: Filters) => void) {
  const [draft, setDraft] = useState(current);
  /** Filters that the URL has, or will have when the page that was opened last has loaded. */
  const [opened, setOpened] = useState(current);
  const [known, setKnown] = useState(current);
  const reportLatest = useRef(report);
  useEffect(() => {
    reportLatest.current = report;
  });

  if (!isSameFilters(known, current)) {
    setKnown(current);
    // The visitor may type while a reported change loads, so that page doesn't replace the draft.
    if (!isSameFilters(opened, current)) {
      setOpened(current);
      setDraft(current);
    }
  }

  /** True until the navigation to the reported filters has started. */
  const isReporting = useRef(false);
  const send = useCallback((wanted: Filters) => {
    isReporting.current = true;
    setOpened(wanted);
    reportLatest.current(wanted);
  }, []);

  const { location: next } = useNavigation();
  useEffect(() => {
    if (next === undefined) return;
    if (!isReporting.current) {
      const isHome = plainPath(next.pathname) === "/home";
      const filters = isHome ? parseFilters(new URLSearchParams(next.search)) : current;
      setOpened(filters);
      setDraft(filters);
    }
    isReporting.current = false;
    // Only the start of a navigation drops changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [next]);

  useEffect(() => {
    const wanted = trimmed(draft);
    if (isSameFilters(wanted, opened)) return;
    const timer = setTimeout(() => send(wanted), limits.searchQuietMs);
    return () => clearTimeout(timer);
  }, [draft, opened, send]);

  const change = useCallback(
    (part: Partial<Filters>) => setDraft((before) => changed(before, part)),
    [],
  );
  return {
    draft,
    change,
    /** Reports the draft with this change immediately. */
    changeNow(part: Partial<Filters>) {
      const next = changed(draft, part);
      setDraft(next);
      send(trimmed(next));
    },
  };
}

/** Hidden fields with the other filters, which a form without scripts must submit too. */
function HiddenFilters({ filters, except }: { filters: Filters; except: keyof Filters }) {
  return Object.entries(filters).map(([name, value]) =>
    name === except || value === "" ? null : (
      <input key={name} type="hidden" name={name} value={value} />
    ),
  );
}

function CategoryChoices({
  filters,
  categories,
  category,
  isOpen,
  onChoose,
}: {
  filters: Filters;
  categories: readonly string[];
  /** The chosen category; empty for all. */
  category: string;
  isOpen: boolean;
  onChoose: (category: string) => void;
}) {
  const isChosen = (name: string) => category.toLowerCase() === name.toLowerCase();
  return (
    <form
      id="category-choices"
      action={pagePath("/home")}
      onSubmit={(event) => {
        event.preventDefault();
      }}
      // Set here and not in the HTML, because without scripts the choices are expanded.
      className={classNames("mt-2", !isOpen && "hidden")}
    >
      <HiddenFilters filters={filters} except="category" />
      <div role="group" aria-label={messages.categories} className="chip-row sm:flex-wrap">
        <ChipButton type="submit" isActive={category === ""} onClick={() => onChoose("")}>
          {messages.all}
        </ChipButton>
        {categories.map((each) => (
          <ChipButton
            key={each}
            type="submit"
            name={isChosen(each) ? undefined : "category"}
            value={each}
            isActive={isChosen(each)}
            onClick={() => onChoose(isChosen(each) ? "" : each)}
          >
            <bdi>{each}</bdi>
          </ChipButton>
        ))}
      </div>
    </form>
  );
}

/**
 * Search text, sort order, categories. Each group is a form, so that everything works without
 * scripts; with them, changes are reported after 500 ms without input.
 */
export function FilterBar({
  filters,
  categories,
  onChange,
}: {
  filters: Filters;
  categories: readonly string[];
  onChange: (filters: Filters) => void;
}) {
  const { draft, change, changeNow } = useQuietFilters(filters, onChange);
  const toggle = useRef<HTMLButtonElement>(null);
  const usualSort = defaultSort(draft);
  const [isOpen, setIsOpen] = useState(filters.category !== "" || filters.search !== "");
  // Preserves text typed before the scripts loaded, which the next render would remove.
  const takeText = useCallback(
    (field: HTMLInputElement | null) => {
      if (field !== null) change({ search: field.value });
    },
    [change],
  );

  return (
    <section aria-label={messages.filters} className="py-4">
      <div className="flex flex-col gap-x-3 sm:flex-row sm:flex-wrap sm:items-center sm:justify-between">
        <div className="chip-row items-center">
          <form
            action={pagePath("/home")}
            className="contents"
            onSubmit={(event) => {
              event.preventDefault();
            }}
          >
            <HiddenFilters filters={filters} except="sort" />
            <div role="group" aria-label={messages.sortBy} className="flex gap-2">
              {sortValues.map((sort) => {
                const isActive = sort === (draft.sort || usualSort);
                return (
                  <ChipButton
                    key={sort}
                    type="submit"
                    name={isActive || sort === usualSort ? undefined : "sort"}
                    value={sort}
                    isActive={isActive}
                    onClick={() => change({ sort: isActive ? "" : sort })}
                  >
                    {sortLabels[sort]}
                  </ChipButton>
                );
              })}
            </div>
          </form>
          <span aria-hidden="true" className="mx-1 h-6 w-px shrink-0 bg-ink-6 max-sm:hidden" />
          <button
            ref={toggle}
            type="button"
            aria-expanded={isOpen}
            aria-controls="category-choices"
            onClick={() => setIsOpen(!isOpen)}
            // On phones, the end of the row is off the screen.
            className={classNames(chipClass(), "max-sm:-order-1")}
          >
            {messages.categories}
            <ChevronDownIcon
              className={classNames(
                "size-4 transition-transform duration-medium",
                isOpen && "rotate-180",
              )}
            />
          </button>
        </div>
        <form
          id="filter-form"
          action={pagePath("/home")}
          onSubmit={(event) => {
            event.preventDefault();
            changeNow({});
          }}
          // Phones show videos first, and the field together with the categories.
          className={classNames("relative mt-2 sm:mt-0 sm:w-52", !isOpen && "max-sm:hidden")}
        >
          <HiddenFilters filters={filters} except="search" />
          <label htmlFor="filter-search" className="sr-only">
            {messages.searchLabel}
          </label>
          <ListFilterIcon className="pointer-events-none absolute top-1/2 inset-s-0 size-4.5 -translate-y-1/2 text-ink-11" />
          <input
            ref={takeText}
            id="filter-search"
            type="search"
            name="search"
            maxLength={200}
            autoComplete="off"
            enterKeyHint="search"
            placeholder={messages.searchPlaceholder}
            value={draft.search}
            onChange={(event) => change({ search: event.target.value })}
            // A line instead of a box, because the box above searches the whole site.
            className="field rounded-none border-0 border-b border-line bg-transparent ps-7"
          />
        </form>
      </div>

      <CategoryChoices
        filters={filters}
        categories={categories}
        category={draft.category}
        isOpen={isOpen}
        onChoose={(category) => change({ category })}
      />
      <ul aria-label={messages.active} className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {(["search", "category"] as const).map((name) =>
          filters[name] === "" ? null : (
            <li key={name} className="max-w-full">
              <RemovableChip
                removeLabel={messages.removeFilter(filters[name])}
                onRemove={() => {
                  // The chip disappears with the focus.
                  toggle.current?.focus();
                  changeNow({ [name]: "" });
                }}
              >
                {name === "search" ? messages.quoted(filters.search) : filters.category}
              </RemovableChip>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

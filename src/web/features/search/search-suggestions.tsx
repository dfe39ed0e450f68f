import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { counted } from "#web/lib/format/format.ts";
import { isOfInputMethod } from "#web/lib/key-of.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { HistoryIcon, XIcon } from "lucide-react";
import { fold, wordsOf } from "#web/components/video/search-words.ts";
import { suggestionList, type Suggestion } from "#contract/lists/search.ts";
import { call, queryString } from "#web/lib/api/http.ts";
import { readStoredJson, searchesKey as key, writeStored } from "#web/lib/device-storage.ts";

const messages = inLanguage("search");

const bases: Record<Suggestion["kind"], string> = {
  title: "/video",
  tag: "/tags",
  actor: "/actors",
  category: "/categories",
};

function suggestionHref(suggestion: Suggestion): string {
  return `${bases[suggestion.kind]}/${encodeURIComponent(suggestion.slug)}`;
}

/** Fetches suggestions for the text typed so far. */
async function fetchSuggestions(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const path = `/api/search/suggest${queryString({ q })}`;
  return (await call(path, suggestionList, { signal })).suggestions;
}

/** Milliseconds without input before a request. Feels immediate but avoids a request per letter. */
const quietMs = 120;
const none: readonly Suggestion[] = [];

/** Returns suggestions for the typed text. Earlier ones stay until new ones arrive. */
function useSuggestions(term: string, isWanted: boolean): readonly Suggestion[] {
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>(none);
  const trimmed = term.trim();

  useEffect(() => {
    if (!isWanted || trimmed === "") {
      setSuggestions(none);
      return;
    }
    const gone = new AbortController();
    const timer = setTimeout(() => {
      fetchSuggestions(trimmed, gone.signal).then(
        (found) => {
          if (!gone.signal.aborted) setSuggestions(found);
        },
        (error: unknown) => {
          // Suggestions are only a convenience. The search works without them.
          if (!gone.signal.aborted) console.warn("Suggestions failed", error);
        },
      );
    }, quietMs);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [trimmed, isWanted]);

  return suggestions;
}

/** Line below a search box. */
interface SearchOption {
  key: string;
  text: string;
  /** Kind of suggestion, shown at the end of the line. */
  note?: string;
  icon?: "recent" | "clear";
  choose: () => void;
  /** Removes the suggestion from the list. Called by its remove button and by the Delete key. */
  remove?: () => void;
}

/**
 * Returns the suggestions for a text, or the recent searches for an empty one.
 * @param actions.open opens a page.
 * @param actions.close closes the list, because it has become empty.
 */
function useSearchOptions(
  { text, isOpen }: { text: string; isOpen: boolean },
  actions: { hrefOf: (term: string) => string; open: (href: string) => void; close: () => void },
): { options: SearchOption[]; readAgain: () => void } {
  const { hrefOf, open, close } = actions;
  const [recent, setRecent] = useState(readRecentSearches);
  const suggestions = useSuggestions(text, isOpen);

  const found: SearchOption[] = suggestions.map((suggestion) => ({
    key: `${suggestion.kind}/${suggestion.slug}`,
    text: suggestion.kind === "tag" ? `#${suggestion.text}` : suggestion.text,
    note: messages.kinds[suggestion.kind],
    choose: () => open(suggestionHref(suggestion)),
  }));
  const before: SearchOption[] = recent.map((term) => ({
    key: term,
    text: term,
    icon: "recent",
    choose: () => {
      rememberSearch(term);
      open(hrefOf(term));
    },
    remove: () => {
      forgetSearch(term);
      const others = readRecentSearches();
      setRecent(others);
      if (others.length === 0) close();
    },
  }));
  const clear: SearchOption = {
    key: "clear",
    text: messages.clearRecent,
    icon: "clear",
    choose: () => {
      clearRecentSearches();
      setRecent([]);
      close();
    },
  };
  return {
    options: text.trim() !== "" ? found : before.length === 0 ? [] : [...before, clear],
    readAgain: () => setRecent(readRecentSearches()),
  };
}

const maxKept = 6;

/** Returns the last searches in this browser, latest first. Empty if storage is off. */
function readRecentSearches(): string[] {
  const kept = readStoredJson(key);
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
}

function keep(searches: readonly string[]): void {
  writeStored(key, searches.length === 0 ? null : JSON.stringify(searches));
}

function rememberSearch(term: string): void {
  const others = readRecentSearches().filter((each) => each.toLowerCase() !== term.toLowerCase());
  keep([term, ...others].slice(0, maxKept));
}

function forgetSearch(term: string): void {
  keep(readRecentSearches().filter((each) => each !== term));
}

function clearRecentSearches(): void {
  keep([]);
}

/** Returns the length of the longest typed word that this word starts with, or 0. */
function typedLength(word: string, typed: readonly string[]): number {
  for (let length = word.length; length > 0; length -= 1) {
    if (typed.includes(fold(word.slice(0, length)))) return length;
  }
  return 0;
}

/**
 * Emphasises the part of a suggestion that hasn't been typed yet. A text without a typed word is
 * unchanged.
 */
function CompletedText({ text, typed }: { text: string; typed: string }) {
  const words = wordsOf(typed);
  // Parts with an odd index are words.
  const parts = text.split(/([\p{L}\p{N}\p{M}'’]+)/u).flatMap((part, at) => {
    const length = at % 2 === 1 ? typedLength(part, words) : 0;
    return [
      { text: part.slice(0, length), isTyped: true },
      { text: part.slice(length), isTyped: false },
    ].filter((each) => each.text !== "");
  });
  const hasTyped = parts.some(({ isTyped }) => isTyped);
  // All parts are elements, because browsers that translate the page replace text nodes, which React
  // then can't remove.
  return parts.map((part, at) => (
    <span key={at} className={hasTyped && !part.isTyped ? "font-semibold" : undefined}>
      {part.text}
    </span>
  ));
}

const scrollIntoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: "nearest" });

/** Suggestion in the list below a search box. */
function SearchOptionRow({
  id,
  option: { text, note, icon, choose, remove },
  typed,
  isMarked,
  onMark,
}: {
  id: string;
  option: SearchOption;
  /** Text in the box. */
  typed: string;
  isMarked: boolean;
  onMark: () => void;
}) {
  return (
    // The box keeps the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={isMarked ? scrollIntoView : null}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      data-highlighted={isMarked ? "" : undefined}
      className="popup-item min-h-11!"
      onPointerMove={onMark}
      // The box must keep the focus until the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      {icon === "recent" ? <HistoryIcon className="size-4 shrink-0 text-ink-11" /> : null}
      {icon === "clear" ? <XIcon className="size-4 shrink-0 text-ink-11" /> : null}
      <bdi className="truncate">
        <CompletedText text={text} typed={typed} />
      </bdi>
      {note === undefined ? null : (
        <span className="ms-auto shrink-0 text-xs text-ink-11">{note}</span>
      )}
      {remove === undefined ? null : (
        // Not a button, because an option must not contain one. Keyboard users press Delete.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span
          className="-my-2 -me-2 ms-auto flex size-11 shrink-0 items-center justify-center text-ink-11 hover:text-ink-12"
          onClick={(event) => {
            event.stopPropagation();
            remove();
          }}
        >
          <XIcon className="size-4" />
        </span>
      )}
    </div>
  );
}

/**
 * Suggestions below a search box: a combobox after the ARIA pattern. The focus stays in the box,
 * arrow keys move through the list, Enter opens the active option, Escape closes. In an empty box
 * these are the recent searches, and Delete removes the active one. It listens to the box, so that
 * it can be loaded when the box is used.
 */
export function SearchSuggestions({
  field,
  id,
  hrefOf,
}: {
  field: HTMLInputElement;
  id: string;
  /** Returns the URL of the results. */
  hrefOf: (term: string) => string;
}) {
  const navigate = useNavigate();
  const [text, setText] = useState(field.value);
  const [isOpen, setIsOpen] = useState(() => document.activeElement === field);
  const [marked, setMarked] = useState(-1);

  const close = () => {
    setIsOpen(false);
    setMarked(-1);
  };
  const { options, readAgain } = useSearchOptions(
    { text, isOpen },
    {
      hrefOf,
      open: (href) => {
        close();
        field.blur();
        void navigate(href);
      },
      close,
    },
  );
  const isEmpty = text.trim() === "";
  const isListShown = isOpen && options.length > 0;

  // Text may have been typed between the first render and the registration of the listeners below.
  useEffect(() => {
    if (document.activeElement !== field) return;
    setText(field.value);
    setIsOpen(true);
  }, [field]);

  useEffect(() => {
    const gone = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(
      target: HTMLElement | null,
      name: K,
      listener: (event: HTMLElementEventMap[K]) => void,
    ) => target?.addEventListener(name, listener, { signal: gone.signal });
    const open = () => {
      readAgain();
      setText(field.value);
      setIsOpen(true);
      setMarked(-1);
    };
    on(field, "input", open);
    on(field, "focus", () => {
      if (field.value.trim() === "") open();
    });
    on(field, "blur", close);
    on(field, "keydown", (event) => {
      if (isOfInputMethod(event)) return;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        if (!isListShown) {
          open();
          return;
        }
        event.preventDefault();
        const step = event.key === "ArrowDown" ? 1 : -1;
        // There is one more position than options, for the box itself.
        const places = options.length + 1;
        setMarked(((marked + 1 + step + places) % places) - 1);
      } else if (event.key === "Escape" && isListShown) {
        event.preventDefault();
        close();
      } else if (event.key === "Enter" && isListShown) {
        const chosen = options[marked];
        if (chosen === undefined) return;
        event.preventDefault();
        chosen.choose();
      } else if (event.key === "Delete" && isListShown) {
        options[marked]?.remove?.();
      }
    });
    on(field.form, "submit", () => {
      const term = text.trim();
      if (term !== "") rememberSearch(term);
      setText("");
      close();
    });
    describeBox(field, { id, isListShown, marked });
    return () => gone.abort();
  });

  return (
    <>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={isEmpty ? messages.recent : messages.suggestions}
        hidden={!isListShown}
        className="popup absolute inset-x-0 top-full z-30 mt-2 max-h-[60vh] overflow-y-auto p-1.5"
      >
        {options.map((option, index) => (
          <SearchOptionRow
            key={option.key}
            id={`${id}-${index}`}
            option={option}
            typed={text}
            isMarked={index === marked}
            onMark={() => setMarked(index)}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {isListShown && !isEmpty ? counted(options.length, messages.suggestionCount) : ""}
      </p>
    </>
  );
}

/** Sets the attributes by which screen readers find the list and its active option. */
function describeBox(
  field: HTMLInputElement,
  list: { id: string; isListShown: boolean; marked: number },
): void {
  const { id, isListShown, marked } = list;
  field.setAttribute("aria-expanded", String(isListShown));
  field.setAttribute("aria-controls", `${id}-list`);
  if (isListShown && marked >= 0) field.setAttribute("aria-activedescendant", `${id}-${marked}`);
  else field.removeAttribute("aria-activedescendant");
}

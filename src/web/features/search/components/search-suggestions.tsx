import { HistoryIcon, XIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { useSuggestions } from "../hooks/use-suggestions.ts";
import { searchMessages as messages } from "../messages.ts";
import {
  clearRecentSearches,
  forgetSearch,
  readRecentSearches,
  rememberSearch,
} from "../recent-searches.ts";
import { counted } from "#web/lib/format/format.ts";
import { suggestionHref } from "../suggestion-href.ts";
import { CompletedText } from "./completed-text.tsx";

interface Option {
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
  const [recent, setRecent] = useState(readRecentSearches);
  const suggestions = useSuggestions(text, isOpen);

  const close = () => {
    setIsOpen(false);
    setMarked(-1);
  };
  const go = (href: string) => {
    close();
    field.blur();
    void navigate(href);
  };
  const found: Option[] = suggestions.map((suggestion) => ({
    key: `${suggestion.kind}/${suggestion.slug}`,
    text: suggestion.kind === "tag" ? `#${suggestion.text}` : suggestion.text,
    note: messages.kinds[suggestion.kind],
    choose: () => go(suggestionHref(suggestion)),
  }));
  const before: Option[] = recent.map((term) => ({
    key: term,
    text: term,
    icon: "recent",
    choose: () => {
      rememberSearch(term);
      go(hrefOf(term));
    },
    remove: () => {
      forgetSearch(term);
      const others = readRecentSearches();
      setRecent(others);
      if (others.length === 0) close();
    },
  }));
  const clear: Option = {
    key: "clear",
    text: messages.clearRecent,
    icon: "clear",
    choose: () => {
      clearRecentSearches();
      setRecent([]);
      close();
    },
  };
  const isEmpty = text.trim() === "";
  const options = !isEmpty ? found : before.length === 0 ? [] : [...before, clear];
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
      setRecent(readRecentSearches());
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
      if (event.isComposing) return;
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
    field.setAttribute("aria-expanded", String(isListShown));
    field.setAttribute("aria-controls", `${id}-list`);
    if (isListShown && marked >= 0) field.setAttribute("aria-activedescendant", `${id}-${marked}`);
    else field.removeAttribute("aria-activedescendant");
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
        {options.map(({ key, text: label, note, icon, choose, remove }, index) => (
          // The box keeps the focus and handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === marked}
            data-highlighted={index === marked ? "" : undefined}
            className="popup-item min-h-11!"
            onPointerMove={() => setMarked(index)}
            // The box must keep the focus until the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={choose}
          >
            {icon === "recent" ? <HistoryIcon className="size-4 shrink-0 text-ink-11" /> : null}
            {icon === "clear" ? <XIcon className="size-4 shrink-0 text-ink-11" /> : null}
            <bdi className="truncate">
              <CompletedText text={label} typed={text} />
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
        ))}
      </div>
      <p role="status" className="sr-only">
        {isListShown && !isEmpty ? counted(options.length, messages.suggestionCount) : ""}
      </p>
    </>
  );
}

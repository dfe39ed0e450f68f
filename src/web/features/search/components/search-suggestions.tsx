import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { counted } from "#web/lib/format/format.ts";
import { isOfInputMethod } from "#web/lib/key-of.ts";
import { useSearchOptions } from "../hooks/use-search-options.ts";
import { searchMessages as messages } from "../messages.ts";
import { rememberSearch } from "../recent-searches.ts";
import { SearchOptionRow } from "./search-option-row.tsx";

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

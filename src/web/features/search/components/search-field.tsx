import { SearchIcon, XIcon } from "lucide-react";
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { useSuggestions } from "../hooks/use-suggestions.ts";
import { searchMessages as messages } from "../messages.ts";
import { suggestionHref } from "../suggestion-href.ts";

/**
 * A combobox after the ARIA pattern: the focus stays in the field, arrow keys move through the list,
 * Enter opens the active option, Escape closes. Without scripts it is a GET form.
 */
export function SearchField({ term }: { term: string }) {
  const navigate = useNavigate();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(term);
  const [isOpen, setIsOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const suggestions = useSuggestions(text, isOpen);
  const isListShown = isOpen && suggestions.length > 0;

  const close = () => {
    setIsOpen(false);
    setMarked(-1);
  };
  const go = (href: string) => {
    close();
    input.current?.blur();
    void navigate(href);
  };
  const search = () => {
    const wanted = text.trim();
    if (wanted === "") return;
    go(`/search?search=${encodeURIComponent(wanted)}`);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!isListShown) {
        setIsOpen(true);
        return;
      }
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      // One position more than suggestions: the field itself.
      const places = suggestions.length + 1;
      setMarked(((marked + 1 + step + places) % places) - 1);
    } else if (event.key === "Escape") {
      if (isListShown) {
        event.preventDefault();
        close();
      }
    } else if (event.key === "Enter") {
      const chosen = suggestions[marked];
      if (!isListShown || chosen === undefined) return;
      event.preventDefault();
      go(suggestionHref(chosen));
    }
  };

  return (
    <form
      role="search"
      aria-label={messages.form}
      action="/search"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
      className="relative max-w-2xl"
    >
      <label htmlFor={`${listId}field`} className="sr-only">
        {messages.label}
      </label>
      <SearchIcon className="pointer-events-none absolute top-3.5 left-4 size-5 text-ink-11" />
      <input
        ref={input}
        id={`${listId}field`}
        type="search"
        name="search"
        role="combobox"
        aria-expanded={isListShown}
        aria-controls={`${listId}list`}
        aria-autocomplete="list"
        aria-activedescendant={isListShown && marked >= 0 ? `${listId}${marked}` : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={200}
        placeholder={messages.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIsOpen(true);
          setMarked(-1);
        }}
        onFocus={() => {
          if (text !== term) setIsOpen(true);
        }}
        onBlur={close}
        onKeyDown={onKeyDown}
        className="field h-12 rounded-full px-12 text-base!"
      />
      {text === "" ? null : (
        <button
          type="button"
          aria-label={messages.clear}
          onClick={() => {
            setText("");
            close();
            input.current?.focus();
          }}
          className="absolute top-0.5 right-0.5 flex size-11 items-center justify-center rounded-full text-ink-11 hover:text-ink-12"
        >
          <XIcon className="size-4.5" />
        </button>
      )}
      <div
        id={`${listId}list`}
        role="listbox"
        aria-label={messages.suggestions}
        hidden={!isListShown}
        className="popup absolute inset-x-0 top-full z-30 mt-2 max-h-[60vh] overflow-y-auto p-1.5"
      >
        {suggestions.map((suggestion, index) => (
          // The field keeps the focus and handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={`${suggestion.kind}/${suggestion.slug}`}
            id={`${listId}${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === marked}
            data-highlighted={index === marked ? "" : undefined}
            className="popup-item min-h-11! justify-between"
            onPointerMove={() => setMarked(index)}
            // The field must keep the focus until the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => go(suggestionHref(suggestion))}
          >
            <span className="truncate">
              {suggestion.kind === "tag" ? "#" : ""}
              {suggestion.text}
            </span>
            <span className="shrink-0 text-xs text-ink-11">{messages.kinds[suggestion.kind]}</span>
          </div>
        ))}
      </div>
      <p role="status" className="sr-only">
        {isListShown ? messages.suggestionCount(suggestions.length) : ""}
      </p>
    </form>
  );
}

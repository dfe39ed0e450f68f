import { SearchIcon, XIcon } from "lucide-react";
import { useCallback, useId, useState } from "react";
import { useNavigate } from "react-router";
import { searchHref, type SearchFilters } from "../search-filters.ts";
import { SearchSuggestions } from "./search-suggestions.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("search");

/** Search box of the search page. Without scripts, it is a GET form. */
export function SearchField({ term, filters }: { term: string; filters: SearchFilters }) {
  const navigate = useNavigate();
  const id = useId();
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const [text, setText] = useState(term);
  const hrefOf = (wanted: string) => searchHref(wanted, filters);
  // Includes text typed before the scripts loaded, which the next render would remove.
  const takeField = useCallback((node: HTMLInputElement | null) => {
    setField(node);
    if (node !== null) setText(node.value);
  }, []);

  return (
    <form
      role="search"
      aria-label={messages.form}
      action={pagePath("/search")}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        if (wanted === "") return;
        field?.blur();
        void navigate(hrefOf(wanted));
      }}
      className="relative max-w-2xl"
    >
      <label htmlFor={`${id}field`} className="sr-only">
        {messages.label}
      </label>
      <SearchIcon className="pointer-events-none absolute top-3.5 inset-s-4 size-5 text-ink-11" />
      <input
        ref={takeField}
        id={`${id}field`}
        type="search"
        name="search"
        role="combobox"
        aria-expanded={false}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={200}
        placeholder={messages.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="field h-12 rounded-full px-12 text-base!"
      />
      {text === "" ? null : (
        <button
          type="button"
          aria-label={messages.clear}
          onClick={() => {
            setText("");
            field?.focus();
          }}
          className="absolute top-0.5 inset-e-0.5 flex size-11 items-center justify-center rounded-full text-ink-11 hover:text-ink-12"
        >
          <XIcon className="size-4.5" />
        </button>
      )}
      {field === null ? null : <SearchSuggestions field={field} id={id} hrefOf={hrefOf} />}
    </form>
  );
}

import { SearchIcon } from "lucide-react";
import { useEffect, useState, type SubmitEvent } from "react";
import { useNavigate } from "react-router";
import { formText } from "#web/lib/form-text.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("layout");

const loadSuggestions = async () =>
  (await import("#web/features/search/search-suggestions.tsx")).SearchSuggestions;

const hrefOf = (term: string) => `/home?search=${encodeURIComponent(term)}`;

/**
 * Search form that opens the home page with the search in the URL. Without scripts, it is a plain
 * GET form. Suggestions are loaded when the box is used.
 */
export function NavigationSearch({ id }: { id: string }) {
  const navigate = useNavigate();
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const { Lazy: Suggestions, prepare } = useLazyComponent(loadSuggestions, false);
  // The visitor may focus the box before its scripts have loaded.
  useEffect(() => {
    if (field !== null && document.activeElement === field) prepare();
  }, [field, prepare]);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const term = formText(new FormData(form), "search").trim();
    if (term === "") return;
    form.reset();
    void navigate(hrefOf(term));
  };

  return (
    <form
      role="search"
      action={pagePath("/home")}
      method="get"
      onSubmit={submit}
      className="relative"
    >
      <label htmlFor={id} className="sr-only">
        {messages.searchLabel}
      </label>
      <input
        ref={setField}
        id={id}
        type="search"
        name="search"
        role="combobox"
        aria-expanded={false}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        placeholder={messages.searchPlaceholder}
        onFocus={prepare}
        className="field h-11 rounded-full pe-12 ps-5"
      />
      <button
        type="submit"
        aria-label={messages.submitSearch}
        className="absolute inset-y-0 inset-e-0 flex w-12 items-center justify-center rounded-full text-ink-11 hover:text-ink-12"
      >
        <SearchIcon className="size-5" />
      </button>
      {Suggestions === null || field === null ? null : (
        <Suggestions field={field} id={id} hrefOf={hrefOf} />
      )}
    </form>
  );
}

import { SearchIcon } from "lucide-react";
import type { SubmitEvent } from "react";
import { useNavigate } from "react-router";
import { formText } from "../../lib/form-text.ts";
import { layoutMessages as messages } from "./messages.ts";

/** Leads to the home page with the term in its address. Without scripts it is a plain GET form. */
export function NavigationSearch({ id }: { id: string }) {
  const navigate = useNavigate();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const term = formText(new FormData(form), "search").trim();
    if (term === "") return;
    form.reset();
    void navigate(`/home?search=${encodeURIComponent(term)}`);
  };

  return (
    <form role="search" action="/home" method="get" onSubmit={submit} className="relative">
      <label htmlFor={id} className="sr-only">
        {messages.searchLabel}
      </label>
      <input
        id={id}
        type="search"
        name="search"
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        placeholder={messages.searchPlaceholder}
        className="field h-11 rounded-full pr-12 pl-5"
      />
      <button
        type="submit"
        aria-label={messages.submitSearch}
        className="absolute inset-y-0 right-0 flex w-12 items-center justify-center rounded-full text-ink-11 hover:text-ink-12"
      >
        <SearchIcon className="size-5" />
      </button>
    </form>
  );
}

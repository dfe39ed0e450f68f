import { SearchIcon, XIcon, SlidersHorizontalIcon } from "lucide-react";
import { useEffect, useRef, useState, useId, type ReactNode } from "react";
import { limits } from "#contract/limits.ts";
import { classNames } from "#web/components/ui/class-names.ts";
import { isOfInputMethod } from "#web/lib/key-of.ts";
import { Button } from "#web/components/ui/button.tsx";

/** Reports the text after 500 ms without input, or immediately on Enter or when cleared. */
export function SearchField({
  label,
  placeholder,
  value,
  onValue,
  className,
}: {
  label: string;
  placeholder: string;
  value: string;
  onValue: (value: string) => void;
  className?: string;
}) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // Shows a value that changed elsewhere, for example through Back or a cleared filter.
    if (value !== reported.current) setText(value);
    reported.current = value;
  }, [value]);

  const report = (next: string) => {
    const trimmed = next.trim();
    if (trimmed === reported.current) return;
    reported.current = trimmed;
    onValue(trimmed);
  };

  useEffect(() => {
    const timer = setTimeout(() => report(text), limits.searchQuietMs);
    return () => clearTimeout(timer);
  });

  return (
    <div role="search" className={classNames("relative", className)}>
      <SearchIcon className="pointer-events-none absolute top-3.5 inset-s-3.5 size-4 text-ink-11" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={limits.searchMax}
        autoComplete="off"
        className="field pe-11! ps-10!"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || isOfInputMethod(event.nativeEvent)) return;
          // Repeats a search that the page refused, for example to preserve unsaved changes.
          reported.current = value;
          report(text);
        }}
      />
      {text === "" ? null : (
        <button
          type="button"
          aria-label="Clear search"
          className="absolute inset-y-0 inset-e-0 flex w-11 items-center justify-center rounded-md text-ink-11 hover:text-ink-12"
          onClick={() => {
            setText("");
            report("");
            field.current?.focus();
          }}
        >
          <XIcon className="size-4" />
        </button>
      )}
    </div>
  );
}

/** Filters of a list. On phones, they are behind a button beside the search field. */
export function FilterFold({
  activeCount,
  children,
}: {
  activeCount: number;
  children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className="sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontalIcon aria-hidden="true" className="size-4" />
        {activeCount === 0 ? "Filters" : `Filters (${activeCount})`}
      </Button>
      <div
        id={id}
        className={classNames(
          "flex flex-wrap items-end gap-2 max-sm:w-full sm:contents",
          !isOpen && "max-sm:hidden",
        )}
      >
        {children}
      </div>
    </>
  );
}

import { useQuery, queryOptions } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { labelList, type LabelKind } from "#contract/lists/labels.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { nameSeparator } from "#contract/text.ts";
import { adminCall } from "../admin-api.ts";

/**
 * Lists all categories, tags or actors by name, for filters and suggestions. Cached for a minute.
 */
export function labelListQuery(kind: LabelKind) {
  return queryOptions({
    queryKey: ["admin", "label list", kind],
    queryFn: () => adminCall(`/api/${kind}`, labelList),
    staleTime: 60_000,
  });
}

/** Splits "a, b,, c " into ["a", "b", "c"]. */
export function splitNames(text: string): string[] {
  return text
    .split(nameSeparator)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

export function joinNames(names: readonly string[]): string {
  return names.join(", ");
}

const fragmentAt = (text: string): number =>
  text.length - (text.split(nameSeparator).at(-1) ?? "").length;

/** Returns the text after the last comma. */
const currentFragment = (text: string): string => text.slice(fragmentAt(text)).trim();

/** Returns the text with its last name completed, ready for the next one. */
export function completeNames(text: string, name: string): string {
  const before = text.slice(0, fragmentAt(text)).trim();
  return `${before === "" ? "" : `${before} `}${name}, `;
}

/**
 * Suggests matching names that aren't in the text yet. Names that begin with the fragment come
 * first.
 */
export function suggestNames(text: string, known: readonly string[], most: number): string[] {
  const fragment = currentFragment(text).toLowerCase();
  if (fragment === "") return [];
  const taken = new Set(splitNames(text).map((name) => name.toLowerCase()));
  const rank = (name: string) => (name.toLowerCase().startsWith(fragment) ? 0 : 1);
  return known
    .filter((name) => name.toLowerCase().includes(fragment) && !taken.has(name.toLowerCase()))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, most);
}

const titles: Record<LabelKind, string> = {
  categories: "Categories",
  tags: "Tags",
  actors: "Actors",
};
const shownSuggestions = 5;

/** Field for names separated by commas. Suggestions replace the hint. */
export function LabelNamesField({
  kind,
  value,
  error,
  label = titles[kind],
  isRequired = false,
  onValue,
}: {
  kind: LabelKind;
  value: string;
  error?: string | null;
  label?: string;
  isRequired?: boolean;
  onValue: (value: string) => void;
}) {
  const [isTyping, setTyping] = useState(false);
  const group = useRef<HTMLDivElement>(null);
  const known = useQuery({ ...labelListQuery(kind), enabled: isTyping });
  const suggestions = isTyping
    ? suggestNames(value, known.data?.map((item) => item.name) ?? [], shownSuggestions)
    : [];
  const hint = `Separate multiple ${kind} with commas`;

  return (
    <div
      ref={group}
      onFocus={() => setTyping(true)}
      onBlur={(event) => {
        // Moving the focus to a suggestion does not leave the field.
        if (
          !(event.relatedTarget instanceof Node) ||
          group.current?.contains(event.relatedTarget) !== true
        ) {
          setTyping(false);
        }
      }}
    >
      <TextField
        label={label}
        error={error}
        required={isRequired}
        autoComplete="off"
        value={value}
        onChange={(event) => onValue(event.target.value)}
        hint={
          suggestions.length === 0 ? (
            hint
          ) : (
            <span className="flex flex-wrap gap-1.5">
              {suggestions.map((name) => (
                <button
                  key={name}
                  type="button"
                  className="rounded-full bg-ink-3 px-2.5 text-ink-12 hover:bg-ink-4"
                  // Keeps the focus in the field, so that the user can continue typing.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => {
                    onValue(completeNames(value, name));
                    group.current?.querySelector("input")?.focus();
                  }}
                >
                  {name}
                </button>
              ))}
            </span>
          )
        }
      />
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { LabelKind } from "#contract/lists/labels.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { labelListQuery } from "./label-list.ts";
import { completeNames, suggestNames } from "./label-names.ts";

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

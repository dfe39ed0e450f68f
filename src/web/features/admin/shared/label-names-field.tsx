import { useQuery, queryOptions } from "@tanstack/react-query";
import { XIcon } from "lucide-react";
import { useRef, useState } from "react";
import { labelList, type LabelKind } from "#contract/lists/labels.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { nameSeparator } from "#contract/text.ts";
import { isOfInputMethod } from "#web/lib/key-of.ts";
import { adminCall } from "./admin-api.ts";

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

/** Suggests matching names that aren't chosen yet. Names that begin with the draft come first. */
export function suggestNames(
  draft: string,
  chosen: readonly string[],
  known: readonly string[],
  most: number,
): string[] {
  const fragment = draft.trim().toLowerCase();
  if (fragment === "") return [];
  const taken = new Set([...chosen, draft].map((name) => name.trim().toLowerCase()));
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

/**
 * Field for names separated by commas. Those before the last comma become chips. Suggestions replace
 * the hint.
 */
export function LabelNamesField({
  kind,
  value,
  error,
  label = titles[kind],
  isRequired = false,
  onValue,
}: {
  kind: LabelKind;
  /** All names, separated by commas. */
  value: string;
  error?: string | null;
  label?: string;
  isRequired?: boolean;
  onValue: (value: string) => void;
}) {
  const [isTyping, setTyping] = useState(false);
  /**
   * The last name while it is typed. Becomes a chip with the next comma. When the focus leaves, a new
   * chip would move the form below, and the press that took the focus would miss its target.
   */
  const [draft, setDraft] = useState("");
  /** Text with a comma that an input method hasn't converted yet; null otherwise. */
  const [unconverted, setUnconverted] = useState<string | null>(null);
  const group = useRef<HTMLDivElement>(null);
  const known = useQuery({ ...labelListQuery(kind), enabled: isTyping });
  const names = splitNames(value);
  const hasDraft = draft.trim() !== "" && names.at(-1) === draft.trim();
  const chosen = hasDraft ? names.slice(0, -1) : names;
  const suggestions = isTyping
    ? suggestNames(draft, chosen, known.data?.map((item) => item.name) ?? [], shownSuggestions)
    : [];

  const choose = (next: readonly string[], nextDraft = "") => {
    setUnconverted(null);
    setDraft(nextDraft.trimStart());
    onValue(joinNames([...next, ...splitNames(nextDraft)]));
    group.current?.querySelector("input")?.focus();
  };
  const type = (text: string) => {
    const parts = text.split(nameSeparator);
    const last = parts.pop() ?? "";
    choose([...chosen, ...parts.flatMap(splitNames)], last);
  };

  return (
    <div
      ref={group}
      onFocus={() => setTyping(true)}
      onBlur={(event) => {
        // Moving the focus to a chip or suggestion does not leave the field.
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
        required={isRequired && chosen.length === 0}
        autoComplete="off"
        value={unconverted ?? (hasDraft ? draft : "")}
        onChange={({ target, nativeEvent }) => {
          const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing;
          if (isComposing && nameSeparator.test(target.value)) setUnconverted(target.value);
          else type(target.value);
        }}
        onCompositionEnd={({ currentTarget }) => {
          if (unconverted !== null) type(currentTarget.value);
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData("text");
          // Cells of a spreadsheet.
          if (!/[\n\t]/.test(pasted.trim())) return;
          event.preventDefault();
          type(`${draft}${pasted.trim().replace(/\s*[\n\t]\s*/g, ",")},`);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Backspace" || draft !== "" || chosen.length === 0) return;
          if (isOfInputMethod(event.nativeEvent)) return;
          choose(chosen.slice(0, -1));
        }}
        hint={
          suggestions.length === 0 ? (
            `Separate multiple ${kind} with commas`
          ) : (
            <span className="flex flex-wrap gap-1.5">
              {suggestions.map((name) => (
                <button
                  key={name}
                  type="button"
                  className="rounded-full bg-ink-3 px-2.5 text-ink-12 hover:bg-ink-4"
                  // Keeps the focus in the field, so that the user can continue typing.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose([...chosen, name])}
                >
                  {name}
                </button>
              ))}
            </span>
          )
        }
      />
      {chosen.length === 0 ? null : (
        <ul aria-label={`Chosen ${kind}`} className="mt-1.5 flex flex-wrap gap-1.5">
          {chosen.map((name) => (
            <li key={name} className="flex items-center rounded-full bg-ink-4 ps-3 text-sm">
              <bdi className="wrap-anywhere">{name}</bdi>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                className="flex size-8 items-center justify-center rounded-full hover:bg-ink-5"
                onClick={() => choose(chosen.filter((each) => each !== name))}
              >
                <XIcon aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

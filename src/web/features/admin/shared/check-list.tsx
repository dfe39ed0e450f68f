import { useId } from "react";

/** Checkboxes under one legend. Each line is clickable as a whole. */
export function CheckList<Value extends string>({
  legend,
  options,
  chosen,
  onChosen,
}: {
  legend: string;
  options: readonly { value: Value; label: string; note?: string }[];
  chosen: readonly Value[];
  onChosen: (chosen: Value[]) => void;
}) {
  const id = useId();
  const toggle = (value: Value) =>
    onChosen(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]);
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {options.map(({ value, label, note }, at) => (
        <div key={value} className="relative flex min-h-11 items-center gap-3">
          <input
            id={`${id}${at}`}
            type="checkbox"
            className="tick relative z-1 shrink-0"
            checked={chosen.includes(value)}
            onChange={() => toggle(value)}
          />
          <label
            htmlFor={`${id}${at}`}
            className="min-w-0 flex-1 cursor-pointer text-sm break-words after:absolute after:inset-0"
          >
            {label}
          </label>
          {note === undefined ? null : <span className="tabular text-ink-11">{note}</span>}
        </div>
      ))}
    </fieldset>
  );
}

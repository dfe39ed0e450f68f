import { RequiredMark } from "#web/components/ui/field.tsx";

/** Radio buttons that also work in a form without scripts. */
export function ChoiceField<Value extends string>({
  label,
  name,
  choices,
  names,
}: {
  label: string;
  name: string;
  choices: readonly Value[];
  names: Record<Value, string>;
}) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">
        {label}
        <RequiredMark />
      </legend>
      {choices.map((value) => (
        <label key={value} className="flex min-h-11 items-center gap-3 py-1">
          <input type="radio" name={name} value={value} required className="choice" />
          {names[value]}
        </label>
      ))}
    </fieldset>
  );
}

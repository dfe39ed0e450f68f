import { takeFocus } from "#web/lib/take-focus.ts";
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

/** Error message that screen readers announce. */
export function FormFailure({ message }: { message: string | null }) {
  return (
    <div role="alert">
      {message === null ? null : (
        <p className="rounded-md bg-danger-soft px-4 py-3 text-sm font-medium break-words text-danger-text">
          {message}
        </p>
      )}
    </div>
  );
}

/** Success message. Takes the focus if it replaces the form. */
export function FormDone({ message, hasForm = false }: { message: string; hasForm?: boolean }) {
  return (
    <p
      role="status"
      ref={hasForm ? undefined : takeFocus}
      tabIndex={-1}
      className="rounded-md bg-done-soft px-4 py-3 text-sm font-medium text-done-text"
    >
      {message}
    </p>
  );
}

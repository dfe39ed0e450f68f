import { useId } from "react";

/** Radio buttons with explanations. */
export function RadioRows<T extends string>({
  legend,
  name,
  value,
  options,
  onValue,
}: {
  legend: string;
  name: string;
  value: T;
  options: readonly { value: T; label: string; hint: string }[];
  onValue: (value: T) => void;
}) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="grid gap-1">
        {options.map((option) => (
          <div
            key={option.value}
            className="relative flex min-h-11 items-center gap-3 rounded-md px-3 py-1.5 hover:bg-ink-3 has-checked:bg-lamp-soft has-focus-visible:outline-2"
          >
            <input
              id={id + option.value}
              type="radio"
              aria-describedby={`${id}${option.value}note`}
              name={name}
              value={option.value}
              checked={option.value === value}
              className="choice relative z-1"
              onChange={() => onValue(option.value)}
            />
            <span>
              {/* The whole row is clickable. */}
              <label
                htmlFor={id + option.value}
                className="block cursor-pointer text-sm font-medium after:absolute after:inset-0"
              >
                {option.label}
              </label>
              <span id={`${id}${option.value}note`} className="block text-sm text-ink-11">
                {option.hint}
              </span>
            </span>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface FieldFrame {
  label: string;
  hint?: ReactNode;
  /** Error message. */
  error?: string | null;
  /** True if the label is only for screen readers. */
  isLabelHidden?: boolean;
  /** False to hide the asterisk in forms where every field is required. */
  hasMark?: boolean;
}

interface Described {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** Marks the label of a required control, which screen readers announce anyway. */
export function RequiredMark() {
  return (
    <span aria-hidden="true" className="text-danger-text">
      {" "}
      *
    </span>
  );
}

/** Label and control with a hint or an error, connected for screen readers. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden = false,
  isRequired = false,
  hasMark = true,
  className,
  control,
}: FieldFrame & {
  isRequired?: boolean;
  className?: string;
  control: (attributes: Described) => ReactNode;
}) {
  const id = useId();
  const hasError = error !== undefined && error !== null && error !== "";
  const noteId = hasError || hint !== undefined ? `${id}note` : undefined;
  return (
    <div className={className}>
      <label
        htmlFor={id}
        className={classNames(isLabelHidden ? "sr-only" : "mb-1.5 block text-sm font-medium")}
      >
        {label}
        {isRequired && hasMark ? <RequiredMark /> : null}
      </label>
      {control({ id, "aria-describedby": noteId, "aria-invalid": hasError ? true : undefined })}
      {hasError ? (
        <p id={noteId} role="alert" className="mt-1.5 text-sm text-danger-text">
          {error}
        </p>
      ) : hint === undefined ? null : (
        <p id={noteId} className="mt-1.5 text-sm text-ink-11">
          {hint}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  hasMark,
  className,
  ...input
}: FieldFrame & Omit<ComponentProps<"input">, "id">) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      isLabelHidden={isLabelHidden}
      isRequired={input.required}
      hasMark={hasMark}
      className={className}
      control={(attributes) => <input className="field" {...input} {...attributes} />}
    />
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...area
}: FieldFrame & Omit<ComponentProps<"textarea">, "id">) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      isLabelHidden={isLabelHidden}
      isRequired={area.required}
      className={className}
      control={(attributes) => (
        <textarea className="field resize-y py-2.5 leading-6" rows={4} {...area} {...attributes} />
      )}
    />
  );
}

/** Switch with a label and a hint. It is a checkbox, so forms submit it. */
export function SwitchField({
  label,
  hint,
  className,
  ...input
}: { label: string; hint?: string } & Omit<ComponentProps<"input">, "id" | "type">) {
  const id = useId();
  return (
    <div className={classNames("flex min-h-11 items-center gap-3", className)}>
      <input
        id={id}
        type="checkbox"
        // The native checkbox reports its state.
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
        role="switch"
        aria-describedby={hint === undefined ? undefined : `${id}note`}
        className="switch"
        {...input}
      />
      <span>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint === undefined ? null : (
          <span id={`${id}note`} className="block text-sm text-ink-11">
            {hint}
          </span>
        )}
      </span>
    </div>
  );
}

/** Native select, which phones and keyboards handle well. */
export function SelectField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  options,
  ...select
}: FieldFrame &
  Omit<ComponentProps<"select">, "id" | "children"> & {
    options: readonly { value: string; label: string }[];
  }) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      isLabelHidden={isLabelHidden}
      isRequired={select.required}
      className={className}
      control={(attributes) => (
        <select className="field select-field" {...select} {...attributes}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    />
  );
}

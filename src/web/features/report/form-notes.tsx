import { takeFocus } from "#web/lib/take-focus.ts";

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

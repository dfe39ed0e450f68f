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

export function FormDone({ message }: { message: string }) {
  return (
    <p
      role="status"
      className="rounded-md bg-done-soft px-4 py-3 text-sm font-medium text-done-text"
    >
      {message}
    </p>
  );
}

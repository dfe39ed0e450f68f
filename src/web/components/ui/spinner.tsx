/** For content whose layout isn't known. Otherwise, use a skeleton. */
export function Spinner({ label = "Loading..." }: { label?: string }) {
  return (
    <div role="status" className="flex flex-col items-center justify-center gap-4 p-8 text-ink-11">
      <span aria-hidden="true" className="spinner" />
      <span>{label}</span>
    </div>
  );
}

/** Chevrons and lines that only the feed needs, after Lucide (ISC licence). */
export function ChevronUpIcon() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="size-6"
    >
      <path d="m18 15-6-6-6 6" />
    </svg>
  );
}

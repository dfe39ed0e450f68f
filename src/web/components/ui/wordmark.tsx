/** One stroke of the mark. The others are rotated copies. */
const stroke = "M16 11.1 18.9 3.9";
const turns = [60, 120, 180, 240, 300] as const;

/** Mark of six strokes. One of them is highlighted unless `isQuiet`. */
export function KinoraMark({
  className,
  isQuiet = false,
}: {
  className?: string;
  isQuiet?: boolean;
}) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={className}>
      <g stroke="currentColor" strokeWidth="3.6" strokeLinecap="round">
        {turns.map((turn) => (
          <path key={turn} d={stroke} transform={`rotate(${turn} 16 16)`} />
        ))}
        <path d={stroke} stroke={isQuiet ? undefined : "var(--color-lamp)"} />
      </g>
    </svg>
  );
}

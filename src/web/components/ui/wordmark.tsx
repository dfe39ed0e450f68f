/** One stroke of the mark. The others are rotated copies. */
const stroke = "M16 11.1 18.9 3.9";
const turns = [60, 120, 180, 240, 300] as const;

/**
 * The site's own logo, otherwise Kinora's mark of six strokes, of which one is highlighted unless
 * `isQuiet`. The class name sets the height.
 */
export function SiteMark({
  className,
  logoUrl = null,
  isQuiet = false,
}: {
  className: string;
  logoUrl?: string | null;
  isQuiet?: boolean;
}) {
  if (logoUrl !== null) return <img src={logoUrl} alt="" className={className} />;
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

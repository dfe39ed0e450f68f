const firstMs = 0;
const endMs = Date.UTC(10_000, 0, 1);

/**
 * Whether a date and time lies in the years 1970 to 9999 of UTC. Beyond them ISO 8601 has another
 * form, which no response allows; the offset of a zone may lead there.
 */
export function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= firstMs && ms < endMs;
}

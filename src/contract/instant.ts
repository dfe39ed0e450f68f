const firstMs = 0;
const endMs = Date.UTC(10_000, 0, 1);

/**
 * Returns whether an instant is within the years 1970 to 9999 UTC. ISO 8601 writes other years
 * differently, which no response allows. A zone offset may cross the boundary.
 */
export function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= firstMs && ms < endMs;
}

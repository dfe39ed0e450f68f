const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns whether a text is an id. Addresses accept an id or a slug in the same place, so a slug
 * can't look like an id.
 */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

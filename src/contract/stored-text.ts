/** For `refine`: half of a surrogate pair cannot be stored in JSON, as the audit log does. */
export const canBeStored = [
  (text: string): boolean => text.isWellFormed(),
  "This holds a character that cannot be stored",
] as const;

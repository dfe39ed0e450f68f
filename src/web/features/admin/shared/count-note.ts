import type { UseQueryResult } from "@tanstack/react-query";

/**
 * How many there are, below the title of a page: null while the list loads, nothing where it failed.
 * @param text of what was loaded.
 */
export function countNote<T>(
  { data, isError }: Pick<UseQueryResult<T>, "data" | "isError">,
  text: (data: T) => string,
): string | null | undefined {
  if (isError) return undefined;
  return data === undefined ? null : text(data);
}

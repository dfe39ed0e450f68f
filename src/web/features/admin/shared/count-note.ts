import type { UseQueryResult } from "@tanstack/react-query";

/**
 * Returns the count to show below a page title. Null while the list loads, empty after a failure.
 * @param text formats the count.
 */
export function countNote<T>(
  { data, isError }: Pick<UseQueryResult<T>, "data" | "isError">,
  text: (data: T) => string,
): string | null | undefined {
  if (isError) return undefined;
  return data === undefined ? null : text(data);
}

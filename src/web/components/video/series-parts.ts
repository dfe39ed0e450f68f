import type * as loaded from "./series-parts-loaded.tsx";

/**
 * Components that only videos of a series use. Other pages don't load them. A page with a series
 * calls `loadSeriesParts` before it is rendered.
 */
type SeriesParts = typeof loaded;

let parts: SeriesParts | null = null;

export async function loadSeriesParts(): Promise<SeriesParts> {
  return (parts ??= await import("./series-parts-loaded.tsx"));
}

/** Returns null if no series has been shown yet. */
export const findSeriesParts = (): SeriesParts | null => parts;

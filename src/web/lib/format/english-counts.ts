import { formatCount } from "./format.ts";

// Counted nouns of the back office, which is in English.

/** Formats "1 video", "1,234 videos". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

export function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

import { hasColumns, labelsOf, type LabelRef, type VideoFilter } from "./video-filter.sql.ts";
import type { SortKey } from "./list-order.ts";

/** Maximum exact total of filtered public lists. Larger totals show this number. */
export const totalMax = 10_000;

/** Counts of listed videos. They are read before the list. */
export interface ListSize {
  /** Number on the whole site. */
  site: number;
  /** Number in this list, exact up to `totalMax` if several filters narrow it. */
  total: number;
  /** Label in the filter that has the fewest videos; null if the filter has no label. */
  smallestLabel: LabelRef | null;
  /** Number of videos with that label. Without a label, the number of videos with the words. */
  gatherable: number;
}

/**
 * Plan for reading a page. `walk` reads at most `maxRows` in the order of the list, or along the
 * newest videos of `label`. It is certain if every row it reads is in the list. `gather` reads all
 * matches and sorts them.
 */
export type ReadPlan =
  | { kind: "walk"; label: LabelRef | null; maxRows: number; isCertain: boolean }
  | { kind: "gather" };

/** A walk is given up after this many times the expected number of rows. */
const patience = 4;
const fewRows = 500;
/**
 * Cost of a gathered row compared with a walked one. Gathered rows are looked up one by one and
 * sorted.
 */
const gatheredCost = 2;

/** Returns whether only labels narrow the list. */
export const hasOnlyLabels = (filter: VideoFilter): boolean =>
  filter.match === undefined && !hasColumns(filter);

/**
 * Picks the plan that reads fewer rows. Assumes that matches are spread evenly along a walk. If
 * labels and order are correlated, as in an archive without views, the walk is given up and
 * everything is gathered.
 */
export function planRead(
  filter: VideoFilter,
  key: { column: string },
  page: { limit: number; offset: number },
  size: ListSize,
): ReadPlan {
  const wanted = page.offset + page.limit;
  const label = key.column === "published_at" ? size.smallestLabel : null;
  // The list contains all videos, or the newest videos of its only label.
  if (hasOnlyLabels(filter) && labelsOf(filter).length === (label === null ? 0 : 1)) {
    return { kind: "walk", label, maxRows: wanted, isCertain: true };
  }
  const rows = label === null ? size.site : size.gatherable;
  const expected = (wanted * rows) / Math.max(1, size.total);
  if (expected >= size.gatherable * gatheredCost) return { kind: "gather" };
  const maxRows = Math.ceil(expected * patience) + fewRows;
  return { kind: "walk", label, maxRows, isCertain: false };
}

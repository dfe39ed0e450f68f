import { hasColumns, labelsOf, type LabelRef, type VideoFilter } from "./video-filter.sql.ts";
import type { SortKey } from "./list-order.ts";

/** Maximum exact total of filtered public lists. Larger totals show this number. */
export const totalMax = 10_000;

/** Numbers of listed videos, read before the list. */
export interface ListSize {
  /** Number on the whole site. */
  site: number;
  /** Number in this list, exact up to `totalMax` if several filters narrow it. */
  total: number;
  /** Label of the filter with the fewest videos, or null without a label. */
  smallestLabel: LabelRef | null;
  /** Number of videos with that label; without a label, those with the words. */
  gatherable: number;
}

/**
 * Plan for reading a page: walk along the order of the list, or along the newest of `label`, for at
 * most `maxRows`; or gather all matches and sort them. A walk is certain if each of its rows is in
 * the list.
 */
export type ReadPlan =
  | { kind: "walk"; label: LabelRef | null; maxRows: number; isCertain: boolean }
  | { kind: "gather" };

/** Multiple of the expected rows that a walk may read before it is given up. */
const patience = 4;
const fewRows = 500;
/** Cost of a gathered row in walked rows, because each is looked up separately and sorted. */
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
  key: Pick<SortKey, "column">,
  page: { limit: number; offset: number },
  size: ListSize,
): ReadPlan {
  const wanted = page.offset + page.limit;
  const label = key.column === "published_at" ? size.smallestLabel : null;
  // All videos, or the newest of the only label.
  if (hasOnlyLabels(filter) && labelsOf(filter).length === (label === null ? 0 : 1)) {
    return { kind: "walk", label, maxRows: wanted, isCertain: true };
  }
  const rows = label === null ? size.site : size.gatherable;
  const expected = (wanted * rows) / Math.max(1, size.total);
  if (expected >= size.gatherable * gatheredCost) return { kind: "gather" };
  const maxRows = Math.ceil(expected * patience) + fewRows;
  return { kind: "walk", label, maxRows, isCertain: false };
}

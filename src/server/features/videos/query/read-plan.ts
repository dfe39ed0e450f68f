import { hasColumns, labelsOf, type LabelRef, type VideoFilter } from "./video-filter.sql.ts";
import type { SortKey } from "./list-order.ts";

/** Totals of filtered public lists are exact up to this; above it they are this. */
export const totalMax = 10_000;

/** Numbers of listed videos, read before a list is. */
export interface ListSize {
  /** The whole site. */
  site: number;
  /** This list, exact up to `totalMax` where several filters narrow it. */
  total: number;
  /** The label of the filter with the fewest videos, or null without a label. */
  smallestLabel: LabelRef | null;
  /** Videos with that label; without a label, those with the words. */
  gatherable: number;
}

/**
 * The two ways to the same page: walk along the order of the list, or along the newest of `label`,
 * for at most `maxRows`; or gather all videos that match, and sort them. A walk is certain if each of
 * its rows is in the list.
 */
export type ReadPlan =
  | { kind: "walk"; label: LabelRef | null; maxRows: number; isCertain: boolean }
  | { kind: "gather" };

/** A walk may read this many times the rows that it should need before it is given up. */
const patience = 4;
const fewRows = 500;
/** A gathered row is looked up by itself and sorted: it costs as much as this many walked rows. */
const gatheredCost = 2;

/** Whether labels are all that narrows a list. */
export const hasOnlyLabels = (filter: VideoFilter): boolean =>
  filter.match === undefined && !hasColumns(filter);

/**
 * Picks the plan that reads fewer rows. The estimate takes videos as spread evenly along a walk. Where
 * labels and order depend on each other, as in an archive without views, the walk is given up and
 * everything is gathered after all.
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

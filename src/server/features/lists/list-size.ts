import { hasColumns, labelsOf, type LabelRef, type VideoFilter } from "#server/db/video-filter.ts";
import type { SortKey } from "./list-order.ts";

/** Totals of filtered public lists are exact up to this; above it they are this. */
export const totalMax = 10_000;

/** What is known about a list before it is read: numbers of listed videos. */
export interface ListSize {
  /** All of them. */
  site: number;
  /** Those of this list, exact up to `totalMax`. */
  total: number;
  /** The label of the filter with the fewest videos, or null without a label. */
  smallestLabel: LabelRef | null;
  /** How many have that label; without a label, how many have the words. */
  gatherable: number;
}

export type Way =
  | { kind: "none" }
  /** Along the order of the list, or along the newest of `label`. */
  | { kind: "walk"; label: LabelRef | null; maxRows: number }
  | { kind: "gather" };

/** A walk may read this many times the rows that it should need, before it is given up. */
const patience = 4;
const fewRows = 500;
/** A gathered row is looked up by itself and sorted: it costs as much as this many walked rows. */
const gatheredCost = 2;

/**
 * Whether a list can be walked to its end without a look at the labels and words of each video: the
 * whole site in any order, or the newest of one label.
 */
export function isWalk(filter: VideoFilter, key: Pick<SortKey, "column">): boolean {
  const labels = labelsOf(filter).length;
  const isNarrowed = filter.match !== undefined || hasColumns(filter);
  return !isNarrowed && labels <= (key.column === "published_at" ? 1 : 0);
}

/** Whether a list is that of a label, and nothing else narrows it. */
export function isOneLabel(filter: VideoFilter): boolean {
  return labelsOf(filter).length === 1 && filter.match === undefined && !hasColumns(filter);
}

/**
 * Picks the way that reads fewer rows of a list that labels or words narrow. The estimate takes
 * videos as spread evenly along a walk. Where labels and order depend on each other, as in an
 * archive without views, the walk is given up and everything is gathered after all.
 */
export function cheapestWay(
  key: Pick<SortKey, "column">,
  page: { limit: number; offset: number },
  size: ListSize,
): Way {
  if (size.total === 0) return { kind: "none" };
  const wanted = page.offset + page.limit;
  const isByLabel = key.column === "published_at" && size.smallestLabel !== null;
  return isByLabel
    ? boundedWay(size.smallestLabel, wanted, size.gatherable, size)
    : boundedWay(null, wanted, size.site, size);
}

function boundedWay(label: LabelRef | null, wanted: number, rows: number, size: ListSize): Way {
  const expected = (wanted * rows) / Math.max(1, size.total);
  if (expected >= size.gatherable * gatheredCost) return { kind: "gather" };
  return { kind: "walk", label, maxRows: Math.ceil(expected * patience) + fewRows };
}

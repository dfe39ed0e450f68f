import type { LabelRef } from "./list-filter.ts";
import type { ListOrder } from "./list-order.ts";

/** Totals of filtered public lists are exact up to this; above it they read this. */
export const totalMax = 10_000;

/** What is known about a list before it is read: numbers of videos that visitors see. */
export interface ListSize {
  /** All of them. */
  site: number;
  /** Those of this list, exact up to `totalMax`. */
  total: number;
  /** The label of the filter that fewest have, or null without one. */
  smallestLabel: LabelRef | null;
  /** How many have it; without a label, how many have the words. */
  gatherable: number;
  /** Whether the list is narrowed by anything at all, and by anything beyond one label. */
  isFiltered: boolean;
  isOneLabel: boolean;
}

export type Way =
  | { kind: "none" }
  /** Along the order of the list, or along the newest of `label`; `null` rows: to the end. */
  | { kind: "walk"; label: LabelRef | null; mostRows: number | null }
  | { kind: "gather" };

/** A walk may look at this many times the rows it should need, before it is given up. */
const patience = 4;
const fewRows = 500;
/** A gathered row is looked up by itself and sorted: it costs as much as this many walked past. */
const gatheredCost = 2;

/**
 * Picks the way with fewer rows to look at. Items lie evenly along a walk unless labels and order
 * have to do with each other, as in an archive that nobody watches; then the walk is given up and
 * everything is gathered after all.
 */
export function cheapestWay(
  order: ListOrder,
  page: { limit: number; offset: number },
  size: ListSize,
): Way {
  if (size.total === 0) return { kind: "none" };
  const wanted = page.offset + page.limit;
  if (!size.isFiltered) return { kind: "walk", label: null, mostRows: null };
  const { smallestLabel } = size;
  if (order.sort === "newest" && smallestLabel !== null) {
    if (size.isOneLabel) return { kind: "walk", label: smallestLabel, mostRows: null };
    return bounded(smallestLabel, wanted, size.gatherable, size);
  }
  return bounded(null, wanted, size.site, size);
}

function bounded(label: LabelRef | null, wanted: number, rows: number, size: ListSize): Way {
  const expected = (wanted * rows) / Math.max(1, size.total);
  if (expected >= size.gatherable * gatheredCost) return { kind: "gather" };
  return { kind: "walk", label, mostRows: Math.ceil(expected * patience) + fewRows };
}

import type { DbOrTrx } from "#server/db/connection.ts";
import { readTallies, siteScope } from "#server/db/tallies.ts";
import { labelsOf, type VideoFilter } from "#server/db/video-filter.ts";
import { isOneLabel, totalMax, type ListSize } from "./list-size.ts";
import { countListed } from "./video-list.repository.ts";

/** The size of a public list that labels or words narrow, from the kept totals where these tell it. */
export async function readListSize(db: DbOrTrx, filter: VideoFilter): Promise<ListSize> {
  const labels = labelsOf(filter);
  const tallies = await readTallies(db, [siteScope, ...labels.map(({ id }) => id)]);
  const listed = (id: string) => tallies.get(id)?.listed ?? 0;
  const [smallest] = labels.toSorted((a, b) => listed(a.id) - listed(b.id));
  const size = { site: listed(siteScope), smallestLabel: smallest ?? null };
  const labelled = smallest === undefined ? null : listed(smallest.id);
  if (labelled !== null && (isOneLabel(filter) || labelled === 0)) {
    return { ...size, total: labelled, gatherable: labelled };
  }
  const total = await countListed(db, filter, size.smallestLabel, totalMax);
  return { ...size, total, gatherable: labelled ?? total };
}

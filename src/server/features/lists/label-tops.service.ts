import type { Db } from "#server/db/connection.ts";
import * as repository from "./label-tops.repository.ts";

/** Lists of smaller labels are sorted at each read. */
const defaults = { minListed: 500, kept: 256 };
/** More videos may rise than are kept; from this factor on the last of them go. */
const slack = 1.5;
/** Counts of a range fall as time passes, which leaves fewer videos before a bound. */
const maxAgeH = 6;
/** How long one run chooses: the first choice of a large catalogue takes several. */
const runMs = 6000;

export interface LabelTops {
  /** Brings the kept videos of large labels up to date; run by one process at a time. */
  refresh(signal?: AbortSignal, maxMs?: number): Promise<void>;
}

/** Keeps the first videos of large labels, in every order that visitors may ask for. */
export function createLabelTops(deps: { db: Db; sizes?: typeof defaults }): LabelTops {
  const { db, sizes: { minListed, kept } = defaults } = deps;
  return {
    async refresh(signal, maxMs = runMs) {
      const startedAt = performance.now();
      const risen = await repository.addRisen(db);
      for (const id of await repository.listOverfull(db, risen, kept * slack)) {
        await repository.chooseTops(db, id, kept, "kept");
      }
      await repository.deleteSmall(db, minListed / 2);
      for (const id of await repository.listDue(db, { minListed, maxAgeH })) {
        if (performance.now() - startedAt > maxMs) return;
        signal?.throwIfAborted();
        await repository.chooseTops(db, id, kept, "all");
      }
    },
  };
}

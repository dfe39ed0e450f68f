import type { Insertable, Selectable } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { AdsTable } from "#server/db/schema.ts";
import { newId } from "#server/lib/ids.ts";
import { nextNumber } from "./sequence.ts";

export type AdRow = Selectable<AdsTable>;

/** Creates an active header banner without dates. */
export async function makeAd(
  db: DbOrTrx,
  values: Partial<Insertable<AdsTable>> = {},
): Promise<AdRow> {
  return await db
    .insertInto("ads")
    .values({
      id: newId(),
      title: `Ad ${nextNumber()}`,
      type: "banner",
      placement: "header",
      link_url: "https://example.test/offer",
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

import { sql } from "kysely";
import { ownPagePlaces, ownPageTexts, type OwnPage } from "#contract/site/own-pages.ts";
import type { OwnPageInput } from "#contract/site/own-pages.input.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

/** Returns all pages in their order. */
export async function readOwnPages(db: DbOrTrx): Promise<OwnPage[]> {
  const rows = await db
    .selectFrom("own_pages")
    .selectAll()
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    address: row.address,
    place: ownPagePlaces.find((place) => place === row.place) ?? "none",
    isPublished: row.is_published,
    isIndexed: row.is_indexed,
    texts: ownPageTexts.parse(row.texts),
    version: row.version,
  }));
}

/** Lets only one transaction at a time change the pages. */
export async function lockOwnPages(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kinora own pages'))`.execute(trx);
}

const columnsOf = ({ address, place, isPublished, isIndexed, texts }: OwnPageInput) => ({
  address,
  place,
  is_published: isPublished,
  is_indexed: isIndexed,
  texts: JSON.stringify(texts),
});

export async function insertOwnPage(
  trx: Trx,
  { id, position, input }: { id: string; position: number; input: OwnPageInput },
): Promise<void> {
  await trx
    .insertInto("own_pages")
    .values({ id, position, ...columnsOf(input) })
    .execute();
}

export async function updateOwnPage(trx: Trx, id: string, input: OwnPageInput): Promise<void> {
  await trx
    .updateTable("own_pages")
    .set((eb) => ({
      ...columnsOf(input),
      version: eb("version", "+", 1),
      updated_at: sql<Date>`now()`,
    }))
    .where("id", "=", id)
    .execute();
}

export async function deleteOwnPage(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("own_pages").where("id", "=", id).execute();
}

export async function orderOwnPages(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    update own_pages set position = g.position
    from unnest(${ids}::uuid[]) with ordinality as g (id, position)
    where own_pages.id = g.id`.execute(trx);
}

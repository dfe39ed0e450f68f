import type { Insertable, Selectable } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { Database } from "#server/db/schema.ts";
import { newId } from "#server/lib/ids.ts";
import { foldName, slugify } from "#server/lib/names.ts";
import { nextNumber } from "./sequence.ts";

type LabelsTable = Database["categories"];
export type LabelRow = Selectable<LabelsTable>;
type LabelValues = Partial<Insertable<LabelsTable>>;

/** Creates a category. The slug is derived from the name unless it is given. */
export function makeCategory(db: DbOrTrx, values: LabelValues = {}): Promise<LabelRow> {
  return makeLabel(db, "categories", "Category", values);
}

export function makeTag(db: DbOrTrx, values: LabelValues = {}): Promise<LabelRow> {
  return makeLabel(db, "tags", "Tag", values);
}

export function makeActor(db: DbOrTrx, values: LabelValues = {}): Promise<LabelRow> {
  return makeLabel(db, "actors", "Actor", values);
}

async function makeLabel(
  db: DbOrTrx,
  table: "categories" | "tags" | "actors",
  word: string,
  values: LabelValues,
): Promise<LabelRow> {
  const name = values.name ?? `${word} ${nextNumber()}`;
  return await db
    .insertInto(table)
    .values({ id: newId(), name, slug: slugify(name), folded_name: foldName(name), ...values })
    .returningAll()
    .executeTakeFirstOrThrow();
}

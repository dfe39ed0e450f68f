import type { Language } from "#contract/site/languages.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

export interface OwnTextRow {
  language: Language;
  id: string;
  text: string;
}

export async function readOwnTexts(db: DbOrTrx): Promise<OwnTextRow[]> {
  return db.selectFrom("own_texts").select(["language", "id", "text"]).execute();
}

/** @returns the previous text, or null. */
export async function writeOwnText(
  trx: Trx,
  { language, id, text }: Omit<OwnTextRow, "text"> & { text: string | null },
): Promise<string | null> {
  const before = await trx
    .deleteFrom("own_texts")
    .where("language", "=", language)
    .where("id", "=", id)
    .returning("text")
    .executeTakeFirst();
  if (text !== null) {
    await trx
      .insertInto("own_texts")
      .values({ language, id, text })
      .onConflict((conflict) => conflict.columns(["language", "id"]).doUpdateSet({ text }))
      .execute();
  }
  return before?.text ?? null;
}

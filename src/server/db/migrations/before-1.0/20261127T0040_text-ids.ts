import { sql, type Kysely } from "kysely";

/** Moves operators' texts to new ids and placeholders of elements. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update own_texts set id = 'adLabel' || substr(id, 4)
    where id = 'ads.label' or id like 'ads.slots.%'`.execute(db);
  await sql`
    update own_texts set text = regexp_replace(text, '\\{(meant|upload|command|all)\\}', '<\\1/>', 'g')
    where id in ('found.didYouMean', 'home.fresh', 'home.noMatch')`.execute(db);
}

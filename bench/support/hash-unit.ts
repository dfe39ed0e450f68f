import { sql, type RawBuilder } from "kysely";

/** A number in [0, 1) that depends only on the key, an SQL expression, and the seed. */
export function hashUnit(key: RawBuilder<unknown>, seed: number): RawBuilder<unknown> {
  return sql`((hashint8extended((${key})::bigint, ${sql.lit(seed)}::bigint) & 9007199254740991)::float8
    / 9007199254740992)`;
}

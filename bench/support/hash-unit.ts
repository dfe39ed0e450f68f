import { sql, type RawBuilder } from "kysely";

/**
 * Returns a number in [0, 1) that depends only on the seed and the key, which is an SQL expression.
 */
export function hashUnit(key: RawBuilder<unknown>, seed: number): RawBuilder<unknown> {
  return sql`((hashint8extended((${key})::bigint, ${sql.lit(seed)}::bigint) & 9007199254740991)::float8
    / 9007199254740992)`;
}

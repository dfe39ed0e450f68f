import type { ColumnType, Generated } from "kysely";

/** Time with a default from the database. */
export type Stamp = ColumnType<Date, Date | undefined, Date>;
export type NullableDate = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** int8, read as a number because totals stay far below 2^53. */
export type Count = Generated<number>;

import { z } from "zod";

/**
 * Names in a backup, which is a tar archive. It contains `backup.json`,
 * `database/TABLE.NUMBER.jsonl` with a JSON array of texts per row, `media/KEY`, and finally
 * `SHA256SUMS` in the format of `sha256sum --check`.
 */
export const headName = "backup.json";
export const sumsName = "SHA256SUMS";
export const mediaFolder = "media/";
export const tableFile = /^database\/(\w+)\.\d+\.jsonl$/;
export const tableFileName = (table: string, part: number): string =>
  `database/${table}.${part}.jsonl`;

/** Strict patterns, because both values become part of statements. */
const typeName = z.string().regex(/^[a-z][a-z ]*(\(\d+(,\d+)?\))?[a-z ]*(\[\])?$/);
const partitionBound = z
  .string()
  .regex(/^(DEFAULT|FOR VALUES FROM \((MINVALUE|'[\d :+-]+')\) TO \((MAXVALUE|'[\d :+-]+')\))$/);

export const backupHead = z.object({
  kinoraBackup: z.literal(1),
  createdAt: z.string(),
  /** Applied migrations, which define the schema. */
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.object({ name: z.string(), type: typeName })),
    }),
  ),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: partitionBound })),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  hasMedia: z.boolean(),
});
export type BackupHead = z.infer<typeof backupHead>;

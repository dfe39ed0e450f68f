import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";
import type { LadderPart } from "#server/media/plan/ladder-parts.ts";
import { renditionsSchema, type Renditions } from "#server/media/plan/renditions.ts";

export interface PartRow extends LadderPart {
  number: number;
  /** Where the HLS files of all parts are. */
  folder: string;
  /** Null until it is stored. */
  result: Renditions | null;
}

/** Adds the parts of a ladder. Those of an earlier division stay. */
export async function insertParts(
  db: Db,
  videoId: string,
  folder: string,
  parts: readonly LadderPart[],
): Promise<void> {
  await db
    .insertInto("ladder_parts")
    .values(
      parts.map(({ sides, hasSound, share }, number) => ({
        video_id: videoId,
        number,
        folder,
        sides,
        share,
        has_sound: hasSound,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listParts(db: Db, videoId: string): Promise<PartRow[]> {
  const rows = await db
    .selectFrom("ladder_parts")
    .select(["number", "folder", "sides", "has_sound", "share", "result"])
    .where("video_id", "=", videoId)
    .orderBy("number")
    .execute();
  return rows.map(({ has_sound: hasSound, result, ...row }) => ({
    ...row,
    hasSound,
    result: renditionsSchema.nullable().parse(result),
  }));
}

/** @returns false where another worker was first, or the part is not wanted any more. */
export async function savePart(
  db: Db,
  videoId: string,
  number: number,
  result: Renditions,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("ladder_parts")
    .set({ result: JSON.stringify(result), progress: 1 })
    .where("video_id", "=", videoId)
    .where("number", "=", number)
    .where("result", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns the share of the whole ladder that is made. */
export async function savePartProgress(
  db: Db,
  videoId: string,
  number: number,
  progress: number,
): Promise<number> {
  const { rows } = await sql<{ whole: number }>`
    with own as (
      update ladder_parts set progress = ${progress}
      where video_id = ${videoId} and number = ${number} and result is null
    )
    select coalesce(sum(share * case when number = ${number} then ${progress} else progress end), 0)::float8
      as whole from ladder_parts where video_id = ${videoId}`.execute(db);
  return rows[0]?.whole ?? 0;
}

export async function deleteParts(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom("ladder_parts").where("video_id", "=", videoId).execute();
}

/** Whether a folder holds parts of a ladder that is being made. */
export async function isPartFolder(db: Db, folder: string): Promise<boolean> {
  const row = await db
    .selectFrom("ladder_parts")
    .select("number")
    .where("folder", "=", folder)
    .executeTakeFirst();
  return row !== undefined;
}

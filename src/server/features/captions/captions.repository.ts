import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import { isUuid } from "#server/lib/ids.ts";

/** Fields of a video that are needed to change its captions. */
export interface CaptionVideo {
  id: string;
  title: string;
  mediaToken: string;
  durationS: number;
  hlsKey: string | null;
  captions: StoredCaption[];
}

export async function findVideo(db: DbOrTrx, idOrSlug: string): Promise<CaptionVideo | null> {
  const row = await db
    .selectFrom("videos")
    .select([
      ...(["id", "title", "captions"] as const),
      ...(["media_token as mediaToken", "duration_s as durationS", "hls_key as hlsKey"] as const),
    ])
    .where(isUuid(idOrSlug) ? "id" : "slug", "=", idOrSlug)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false if the captions or the ladder differ from `before`. */
export async function saveCaptions(
  trx: Trx,
  before: CaptionVideo,
  next: { captions: readonly StoredCaption[]; hlsKey: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update videos set captions = ${JSON.stringify(next.captions)}::jsonb, hls_key = ${next.hlsKey}
    where id = ${before.id}::uuid and captions = ${JSON.stringify(before.captions)}::jsonb
      and hls_key is not distinct from ${before.hlsKey}`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

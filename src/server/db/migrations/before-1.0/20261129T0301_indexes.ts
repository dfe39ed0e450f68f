import { sql, type Kysely } from "kysely";

/** Indexes for the search for sound that no podcast needs, and for origins in a redirect map. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index videos_audio_idx on videos (id) where audio_key is not null;
    create index video_origins_source_id_idx on video_origins (source_id text_pattern_ops)`.execute(
    db,
  );
}

import { sql, type RawBuilder } from "kysely";

/** What changes all the time in a video, and the stamp of the rest. */
export interface VideoCounts {
  views: number;
  likes: number;
  /** Differs after every change of the row but counts. */
  stamp: number;
}

/** The stamp of `videos v`; the migration `video-stamp` keeps it. */
export const stampOfVideo: RawBuilder<number> = sql`extract(epoch from v.updated_at)::float8`;

/** The columns of `VideoCounts`, from `videos v`. */
export const countColumns: RawBuilder<VideoCounts> = sql`v.views, v.likes, ${stampOfVideo} as stamp`;

import { sql, type Kysely } from "kysely";

/** Moves operators' texts to the new groups of the playlist, the next video and a video's head. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update own_texts set id = new_id
    from (values
      ('player.upNext', 'upNext.title'),
      ('player.nextIn', 'upNext.countdown'),
      ('player.playNow', 'upNext.play'),
      ('player.cancel', 'upNext.cancel'),
      ('video.playingList', 'playlist.current'),
      ('video.placeInList', 'playlist.place'),
      ('video.previousInList', 'playlist.previous'),
      ('video.nextInList', 'playlist.next'),
      ('video.leaveList', 'playlist.leave'),
      ('video.linkText', 'videoHead.linkText'),
      ('video.linkWith', 'videoHead.linkWith'),
      ('video.home', 'videoHead.home')
    ) as moved (old_id, new_id)
    where id = old_id`.execute(db);
}

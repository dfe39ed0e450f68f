import type { Db } from "../../db/connection.ts";
import { findVideoByToken } from "./videos.repository.ts";

/** Who may see the files behind a media token. */
export type MediaAccess = (mediaToken: string) => Promise<"everybody" | "admins" | "nobody">;

/** How long the answer for a token is believed: an unpublished video is out of reach that soon. */
const believeMs = 1000;
const mostEntries = 5000;

/** Published and finished videos are for everybody, the others only for admins. */
export function createMediaAccess(deps: { db: Db }): MediaAccess {
  const known = new Map<string, { until: number; who: Awaited<ReturnType<MediaAccess>> }>();
  return async (mediaToken) => {
    const at = performance.now();
    const entry = known.get(mediaToken);
    if (entry !== undefined && entry.until > at) return entry.who;
    const found = await findVideoByToken(deps.db, mediaToken);
    const who = found === null ? "nobody" : found.isListed ? "everybody" : "admins";
    if (known.size >= mostEntries) known.clear();
    known.set(mediaToken, { until: at + believeMs, who });
    return who;
  };
}

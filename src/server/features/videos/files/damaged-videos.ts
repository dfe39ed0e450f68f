import { posix } from "node:path";
import type { Db } from "#server/db/connection.ts";
import { isNotFound } from "#server/lib/app-error.ts";
import { listSoundUris, listVariantUris } from "#server/media/plan/master-playlist.ts";
import { findRangeProblem, readRanges } from "#server/media/plan/playlist-ranges.ts";
import type { Storage } from "#server/storage/storage.ts";
import { listLadders } from "./stored-files.repository.ts";

export interface DamagedVideo {
  id: string;
  slug: string;
  problem: string;
}

type Files = Storage;

const maxPlaylistBytes = 4_000_000;
const batchSize = 50;

/**
 * Finds videos whose stored renditions are shorter than their playlists require, newest first.
 * Reads playlists and file sizes but no media.
 * @param limit number of videos to check.
 */
export async function* findDamagedVideos(
  db: Db,
  storage: Files,
  limit = Infinity,
): AsyncGenerator<{ checked: number; damaged: DamagedVideo[] }> {
  let before: string | null = null;
  for (let checked = 0; checked < limit;) {
    const batch = await listLadders(db, { before, limit: Math.min(batchSize, limit - checked) });
    const last = batch.at(-1);
    if (last === undefined) return;
    const damaged: DamagedVideo[] = [];
    for (const { id, slug, masterKey } of batch) {
      const problem = await findLadderProblem(storage, masterKey);
      if (problem !== null) damaged.push({ id, slug, problem });
    }
    checked += batch.length;
    before = last.id;
    yield { checked: batch.length, damaged };
  }
}

/** Number of videos that the doctor checks. It takes a few seconds on a disk or a bucket. */
const newestCount = 200;

/** Checks the newest videos. */
export async function checkNewestVideos(
  db: Db,
  storage: Files,
): Promise<{ checked: number; damaged: DamagedVideo[] }> {
  const found = { checked: 0, damaged: [] as DamagedVideo[] };
  for await (const { checked, damaged } of findDamagedVideos(db, storage, newestCount)) {
    found.checked += checked;
    found.damaged.push(...damaged);
  }
  return found;
}

/** Compares all playlists of a ladder with the sizes of its files. @returns the first problem. */
async function findLadderProblem(storage: Files, masterKey: string): Promise<string | null> {
  const folder = posix.dirname(masterKey);
  const readPlaylist = async (key: string): Promise<string | null> => {
    try {
      return (await storage.readBytes(key, maxPlaylistBytes)).toString();
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  };
  const master = await readPlaylist(masterKey);
  if (master === null) return "its playlist is missing";
  for (const uri of [...listVariantUris(master), ...listSoundUris(master)]) {
    const key = posix.join(folder, uri);
    const text = await readPlaylist(key);
    if (text === null) return `${uri} is missing`;
    const sizes = new Map<string, number>();
    for (const name of new Set(readRanges(text).segments.map((range) => range.uri))) {
      const info = await storage.findStat(posix.join(posix.dirname(key), name));
      if (info !== null) sizes.set(name, info.sizeBytes);
    }
    const problem = findRangeProblem(text, (name) => sizes.get(name) ?? null);
    if (problem !== null) return problem;
  }
  return null;
}

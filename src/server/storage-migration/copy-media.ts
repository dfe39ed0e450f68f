import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Db } from "#server/db/connection.ts";
import { isNotFound } from "#server/lib/app-error.ts";
import type { PlaceStorage } from "#server/storage/storage.ts";
import { findMoved, noteMoved } from "./moved-media.repository.ts";

export interface CopyReport {
  files: number;
  sizeBytes: number;
}

const copiesAtOnce = 4;
const batchSize = 200;
/** Maximum number of attempts if a copy differs from its source. */
const maxAttempts = 3;

/**
 * Copies the objects that haven't been copied yet, and compares each copy with its source.
 * @returns the copied objects; empty if both storages are equal.
 */
export async function copyMedia(
  db: Db,
  { source, target }: { source: PlaceStorage; target: PlaceStorage },
  onFile: (report: CopyReport) => void,
): Promise<CopyReport> {
  const report = { files: 0, sizeBytes: 0 };

  async function copy(key: string): Promise<void> {
    const sizeBytes = await copyObject(key, source, target);
    if (sizeBytes === null) return;
    await noteMoved(db, key);
    report.files += 1;
    report.sizeBytes += sizeBytes;
    onFile(report);
  }

  async function copyBatch(keys: string[]): Promise<void> {
    const moved = await findMoved(db, keys);
    const waiting = keys.filter((key) => !moved.has(key));
    const work = async () => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) await copy(key);
    };
    await Promise.all(Array.from({ length: copiesAtOnce }, work));
  }

  let batch: string[] = [];
  for await (const { key } of source.list("")) {
    batch.push(key);
    if (batch.length < batchSize) continue;
    await copyBatch(batch);
    batch = [];
  }
  if (batch.length > 0) await copyBatch(batch);
  return report;
}

/** @returns the object's size, or null if it was deleted in the meantime. */
async function copyObject(
  key: string,
  source: PlaceStorage,
  target: PlaceStorage,
): Promise<number | null> {
  try {
    for (let attempt = 1; ; attempt += 1) {
      const expected = await source.withLocalFile(key, async (path) => {
        const hash = createHash("sha256");
        for await (const piece of createReadStream(path, { highWaterMark: 2 ** 18 })) {
          if (piece instanceof Uint8Array) hash.update(piece);
        }
        const digest = hash.digest("hex");
        if ((await hashObject(target, key)) !== digest) await target.putFile(key, path);
        return digest;
      });
      if ((await hashObject(target, key)) === expected) break;
      if (attempt === maxAttempts) throw new Error(`The copy of ${key} differs from its source.`);
    }
    // The video was removed during the copy.
    if ((await source.findStat(key)) === null) {
      await target.delete(key);
      return null;
    }
    return (await target.getStat(key)).sizeBytes;
  } catch (error) {
    if (isNotFound(error) && (await source.findStat(key)) === null) return null;
    throw error;
  }
}

/** Returns null if the object doesn't exist. */
async function hashObject(storage: PlaceStorage, key: string): Promise<string | null> {
  try {
    const object = await storage.openRead(key);
    try {
      const hash = createHash("sha256");
      const end = object.stat.sizeBytes - 1;
      for await (const piece of object.pieces({ start: 0, end })) hash.update(piece);
      return hash.digest("hex");
    } finally {
      object.close();
    }
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

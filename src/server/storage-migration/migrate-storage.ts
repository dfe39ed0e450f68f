import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Db } from "#server/db/connection.ts";
import {
  readStoragePlaces,
  saveStoragePlaces,
  type StorageKind,
  type StoragePlace,
  type StoragePlaces,
} from "#server/db/storage-place.ts";
import { newId } from "#server/lib/ids.ts";
import { OperatorError, isNotFound } from "#server/lib/app-error.ts";
import { checkLists, type PlaceStorage } from "#server/storage/storage.ts";
import { forgetMoved, findMoved, noteMoved } from "./moved-media.repository.ts";

interface CopyReport {
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
async function copyMedia(
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

/**
 * Maximum number of files still missing when the site switches, so that new files on a busy site
 * don't delay the switch. They are copied afterwards.
 */
const maxLeft = 100;

interface MigrationOptions {
  db: Db;
  storages: { disk: PlaceStorage; s3: PlaceStorage | null };
  to: StorageKind;
  /** Notifies all processes that the media have moved. */
  publish(): Promise<void>;
  onFile(report: CopyReport): void;
}

/**
 * Migrates all media of a running site to another storage:
 *
 * 1. The target gets an id, and the database records it as the second storage.
 * 2. Everything is copied and compared, repeatedly, until few files are new.
 * 3. The target becomes the storage for new files. Files are still read from the source, too.
 * 4. The remaining files are copied, and the source is no longer used.
 *
 * If interrupted, the migration resumes at its current step.
 * @throws OperatorError in one line if it can't start.
 */
export async function migrateStorage(options: MigrationOptions): Promise<CopyReport> {
  const { db, to, publish } = options;
  const known = await readStoragePlaces(db);
  if (known.current === null)
    throw new OperatorError("Start the site once before you move its media files.");
  const begun = known.current.kind === to ? findSwitched(known, to) : await begin(options, known);
  const total = { files: 0, sizeBytes: 0 };

  let places = begun;
  if (places.current.kind !== to) {
    await publish();
    await copyAll(options, places.current.kind, total, maxLeft);
    places = { current: places.other, other: places.current };
    await saveStoragePlaces(db, places);
  }
  await publish();
  await copyAll(options, places.other.kind, total, 0);
  // A process that still expects it to be the site's storage won't start again.
  await at(options, places.other.kind).writeId("moved");
  await saveStoragePlaces(db, { current: places.current, other: null });
  await forgetMoved(db);
  await publish();
  return total;
}

interface BothPlaces extends StoragePlaces {
  other: StoragePlace;
}

function findSwitched({ current, other }: StoragePlaces, to: StorageKind): BothPlaces {
  if (other !== null) return { current, other };
  throw new OperatorError(
    `The media files of this site are already on ${to === "s3" ? "S3" : "disk"}.`,
  );
}

async function begin(options: MigrationOptions, known: StoragePlaces): Promise<BothPlaces> {
  const { db, to } = options;
  const target = at(options, to);
  await checkLists(target);
  const id = await target.readId();
  if (known.other !== null) {
    if (id !== known.other.id) {
      throw new OperatorError("The target isn't the storage that this migration started with.");
    }
    return { ...known, other: known.other };
  }
  if (id !== null && id !== "moved") {
    throw new OperatorError("The target is the media storage of another site. Use an empty one.");
  }
  const places = { current: known.current, other: { kind: to, id: newId() } };
  await forgetMoved(db);
  await target.writeId(places.other.id);
  await saveStoragePlaces(db, places);
  return places;
}

/** Copies repeatedly until a pass finds no more than `maxNew` new files. */
async function copyAll(
  options: MigrationOptions,
  from: StorageKind,
  total: CopyReport,
  maxNew: number,
): Promise<void> {
  const pair = { source: at(options, from), target: at(options, options.to) };
  const before = { ...total };
  for (;;) {
    const { files } = await copyMedia(options.db, pair, (report) => {
      total.files = before.files + report.files;
      total.sizeBytes = before.sizeBytes + report.sizeBytes;
      options.onFile(total);
    });
    if (files <= maxNew) return;
    Object.assign(before, total);
  }
}

function at({ storages }: MigrationOptions, kind: StorageKind): PlaceStorage {
  const storage = storages[kind];
  if (storage !== null) return storage;
  throw new OperatorError("S3_ENDPOINT: not set. The migration needs the S3 variables.");
}

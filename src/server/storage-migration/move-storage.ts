import type { Db } from "#server/db/connection.ts";
import {
  readStoragePlaces,
  saveStoragePlaces,
  type StorageKind,
  type StoragePlace,
  type StoragePlaces,
} from "#server/db/storage-place.ts";
import { newId } from "#server/lib/ids.ts";
import { OperatorError } from "#server/lib/app-error.ts";
import type { PlaceStorage } from "#server/storage/storage.ts";
import { copyMedia, type CopyReport } from "./copy-media.ts";
import { forgetMoved } from "./moved-media.repository.ts";

/**
 * Maximum number of files still missing when the site switches, so that new files on a busy site
 * don't delay the switch. They are copied afterwards.
 */
const maxLeft = 100;

interface MoveOptions {
  db: Db;
  storages: { disk: PlaceStorage; s3: PlaceStorage | null };
  to: StorageKind;
  /** Notifies all processes that the media have moved. */
  publish(): Promise<void>;
  onFile(report: CopyReport): void;
}

/**
 * Moves all media of a running site to another storage:
 *
 * 1. The target gets an id, and the database records it as the second storage.
 * 2. Everything is copied and compared, repeatedly, until few files are new.
 * 3. The target becomes the storage for new files. Files are still read from the source, too.
 * 4. The remaining files are copied, and the source is no longer used.
 *
 * If interrupted, the migration resumes at its current step.
 * @throws OperatorError in one line if it can't start.
 */
export async function moveStorage(options: MoveOptions): Promise<CopyReport> {
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

async function begin(options: MoveOptions, known: StoragePlaces): Promise<BothPlaces> {
  const { db, to } = options;
  const target = at(options, to);
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
  options: MoveOptions,
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

function at({ storages }: MoveOptions, kind: StorageKind): PlaceStorage {
  const storage = storages[kind];
  if (storage !== null) return storage;
  throw new OperatorError("S3_ENDPOINT: not set. The migration needs the S3 variables.");
}

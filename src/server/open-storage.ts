import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Db, DbOrTrx } from "./db/connection.ts";
import {
  lockStoragePlaces,
  namesMediaFiles,
  findStoragePlaces,
  readStoragePlaces,
  saveStoragePlaces,
  type StorageKind,
  type StoragePlaces,
} from "./db/storage-place.ts";
import type { Logger } from "./lib/logger.ts";
import { OperatorError } from "./lib/app-error.ts";
import { createLocalStorage } from "./storage/local.storage.ts";
import type { S3Storage } from "./storage/s3/s3.storage.ts";
import { createSiteStorage, type SiteStorage } from "./storage/site-storage.ts";
import { checkLists, hasObjects, type PlaceStorage, type Storage } from "./storage/storage.ts";

type StorageConfig = Config;

/** Storages in the configuration. */
export interface Storages {
  disk: ReturnType<typeof createLocalStorage>;
  s3: S3Storage | null;
}

/**
 * Pauses of commands that run for hours while the bucket is unavailable: about ten minutes in
 * total.
 */
export const commandPausesMs = [1, 2, 4, 8, 16, 32, ...Array<number>(9).fill(60)].map(
  (seconds) => seconds * 1000,
);

/** @param pausesMs see `openBucket`. */
export async function openStorages(
  config: StorageConfig,
  pausesMs?: readonly number[],
): Promise<Storages> {
  const disk = createLocalStorage({
    root: join(config.dataDir, "storage"),
    isProxied: config.accelRedirect !== null,
  });
  if (config.s3 === null) return { disk, s3: null };
  // Imported here, so that the SDK takes no memory and no time without object storage.
  const { createS3Storage } = await import("./storage/s3/s3.storage.ts");
  return { disk, s3: createS3Storage({ config: config.s3, scratch: disk.scratch, pausesMs }) };
}

/**
 * Opens this site's storage. The first start with a database chooses the storage and gives it its
 * id.
 * @param logger receives a warning if the bucket of a site whose media are on disk doesn't respond.
 * @throws OperatorError in one line if it isn't the storage recorded in the database, or if the
 * configuration of the bucket is wrong.
 */
export async function openStorage(
  config: StorageConfig,
  db: Db,
  logger: Logger,
): Promise<{ storage: SiteStorage; s3: S3Storage | null }> {
  const storages = await openStorages(config);
  const known = await readStoragePlaces(db);
  const places = known.current === null ? await choosePlace(config, storages, db) : known;
  await checkId(config, storages, places);
  if (places.current.kind === "disk") await checkSpareBucket(config, storages, logger);
  return { storage: openPlaces(storages, places, db), s3: storages.s3 };
}

const openPlaces = (storages: Storages, places: StoragePlaces, db: Db): SiteStorage =>
  createSiteStorage({
    ...storages,
    places,
    async readPlaces() {
      const now = await readStoragePlaces(db);
      return now.current === null ? places : now;
    },
  });

/**
 * Opens the current storage for commands, and during a migration also the other one. They also run
 * on new databases and on those of earlier versions.
 */
export async function openCurrentStorage(
  config: StorageConfig,
  db: Db,
  pausesMs?: readonly number[],
): Promise<Storage> {
  const storages = await openStorages(config, pausesMs);
  const known = await findStoragePlaces(db);
  const places = known === null || known.current === null ? null : known;
  const kind = places?.current.kind ?? (await chooseKind(storages));
  const otherKind = places?.other?.kind ?? kind;
  const [storage, other] = [at(config, storages, kind), at(config, storages, otherKind)];
  if (config.s3 !== null && (storage === storages.s3 || other === storages.s3)) {
    const { checkEndpoint } = await import("./storage/s3/check-endpoint.ts");
    await checkEndpoint(config.s3.endpoint);
  }
  return places === null || other === storage ? storage : openPlaces(storages, places, db);
}

/** Makes this storage the one that the database expects, even if it contains another id. */
export async function adoptStorage(
  config: StorageConfig,
  db: Db,
  pausesMs?: readonly number[],
): Promise<StorageKind> {
  const storages = await openStorages(config, pausesMs);
  const known = await readStoragePlaces(db);
  const kind = known.current?.kind ?? (await chooseKind(storages));
  const storage = at(config, storages, kind);
  const id = await readId(config, storage, kind);
  const newId = known.current?.id ?? ("newId" in known ? known.newId : "");
  if (id === null) await explained(config, kind, () => storage.writeId(newId));
  await saveStoragePlaces(db, {
    current: { kind, id: id ?? newId },
    other: known.current === null ? null : known.other,
  });
  return kind;
}

function choosePlace(config: StorageConfig, storages: Storages, db: Db): Promise<StoragePlaces> {
  return db.transaction().execute(async (trx) => {
    await lockStoragePlaces(trx);
    const known = await readStoragePlaces(trx);
    // Another process was faster.
    if (known.current !== null) return known;
    const kind = await chooseKind(storages);
    const storage = at(config, storages, kind);
    const id = await readId(config, storage, kind);
    if (id !== null && id !== known.newId) throw foreign(config, kind);
    if (id === null && (await looksUnmounted(trx, storage))) throw empty(config, kind);
    if (id === null) await explained(config, kind, () => storage.writeId(known.newId));
    const places = { current: { kind, id: known.newId }, other: null };
    await saveStoragePlaces(trx, places);
    return places;
  });
}

/** Chooses the first storage. Sites that are older than object storage have their media on disk. */
async function chooseKind({ disk, s3 }: Storages): Promise<StorageKind> {
  return s3 === null || (await hasObjects(disk)) ? "disk" : "s3";
}

/**
 * Returns whether the storage seems to be missing. An unmounted volume looks like an empty folder.
 */
const looksUnmounted = async (db: DbOrTrx, storage: PlaceStorage): Promise<boolean> =>
  (await namesMediaFiles(db)) && !(await hasObjects(storage));

async function checkId(
  config: StorageConfig,
  storages: Storages,
  { current }: StoragePlaces,
): Promise<void> {
  const id = await readId(config, at(config, storages, current.kind), current.kind);
  if (id === current.id) return;
  throw id === null ? empty(config, current.kind) : foreign(config, current.kind);
}

/**
 * Checks a bucket that the site doesn't use yet. A bucket that doesn't respond can't stop a site
 * whose media are on disk, but a wrong key or name would only show in the middle of a migration.
 */
async function checkSpareBucket(
  config: StorageConfig,
  { s3 }: Storages,
  logger: Logger,
): Promise<void> {
  if (s3 === null || config.s3 === null) return;
  const { checkEndpoint, UnreachableStorageError } = await import("./storage/s3/check-endpoint.ts");
  try {
    await checkEndpoint(config.s3.endpoint);
    await readId(config, s3, "s3");
  } catch (error) {
    if (!(error instanceof UnreachableStorageError)) throw error;
    logger.warn({ err: error }, "the bucket doesn't respond, and the site starts without it");
  }
}

function at(config: StorageConfig, { disk, s3 }: Storages, kind: StorageKind): PlaceStorage {
  if (kind === "disk") return disk;
  if (s3 !== null) return s3;
  throw new OperatorError(
    "S3_ENDPOINT: not set, but the media files of this site are in object storage. Set the S3 variables.",
  );
}

/** Reads the id in the first requests to the storage, which reveal errors in its configuration. */
function readId(
  config: StorageConfig,
  storage: PlaceStorage,
  kind: StorageKind,
): Promise<string | null> {
  return explained(config, kind, async () => {
    if (kind === "s3") await checkLists(storage);
    return storage.readId();
  });
}

async function explained<T>(
  config: StorageConfig,
  kind: StorageKind,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw kind === "disk" ? error : await explainStorageError(config, error);
  }
}

/**
 * Returns the error as one line for the operator if the configuration of object storage caused it.
 */
export async function explainStorageError(config: StorageConfig, error: unknown): Promise<unknown> {
  if (config.s3 === null) return error;
  const { explainS3Error } = await import("./storage/s3/s3-errors.ts");
  return explainS3Error(error, config.s3);
}

const adoptLine = 'If it is the right one, run "npm run admin -- storage adopt".';

const describe = ({ dataDir, s3 }: StorageConfig, kind: StorageKind): string =>
  kind === "disk"
    ? `DATA_DIR: "${join(dataDir, "storage")}"`
    : `S3_BUCKET: "${s3?.bucket ?? ""}" (S3_PREFIX "${s3?.prefix ?? ""}")`;

const foreign = (config: StorageConfig, kind: StorageKind) =>
  new OperatorError(
    `${describe(config, kind)} is the media storage of another site or database. ${adoptLine}`,
  );

const empty = (config: StorageConfig, kind: StorageKind) =>
  new OperatorError(
    `${describe(config, kind)} isn't the media storage of this site: it has no ID. Is it mounted? ${adoptLine}`,
  );

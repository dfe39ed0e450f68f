import { mkdir, readdir, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Video } from "#contract/videos/videos.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid, newToken } from "#server/lib/ids.ts";
import { translateDiskError } from "#server/storage/disk-error.ts";
import { linkOrCopy } from "#server/storage/durable-file.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import type { SiteStorage } from "#server/storage/site-storage.ts";
import type { ObjectStat } from "#server/storage/storage.ts";
import type { BucketUploads } from "./bucket-uploads.ts";
import type { UploadLocks } from "./upload-locks.ts";

/** Complete file, and how to turn it into an object if its parts are already in the bucket. */
interface StagedFile {
  path: string;
  keep?: () => Promise<ObjectStat>;
  isKept?: boolean;
}

/** Upload in the folder, with its announced size and its owner. */
export interface FolderUpload {
  sizeBytes: number;
  account: string | null;
}

/** Returns whether sending the same file again would fail, too. */
export const isFinal = (error: unknown) =>
  error instanceof AppError && ["unsupported_media", "unusable_video"].includes(error.code);

const unknownUpload = () =>
  new AppError("not_found", "This upload has expired. Upload the file again.");

/** Files sent by tus that wait for their form. */
export function createStagedUploads(deps: {
  /** Folder of unfinished and unclaimed uploads: `{id}` and `{id}.json`. */
  directory: string;
  /** Returns the video that an upload became, or null. */
  findVideo: (uploadId: string) => Promise<Video | null>;
  /** Returns an upload in the folder, or null for an unknown one. */
  findUpload: (uploadId: string) => Promise<FolderUpload | null>;
  locks: UploadLocks;
  /** Uploads started while media were in a bucket. */
  inBucket: { uploads: BucketUploads; storage: S3Storage } | null;
  storage: SiteStorage;
}) {
  const { directory, findVideo, findUpload, locks, inBucket, storage } = deps;
  const pathOf = (id: string) => join(directory, id);

  /** Deletes an upload, but not if it became a video's source. */
  async function discard(id: string): Promise<void> {
    await inBucket?.uploads.discard(id);
    await rm(pathOf(id), { force: true });
    await rm(`${pathOf(id)}.json`, { force: true });
  }

  async function takeFromBucket(
    { uploads, storage: bucket }: NonNullable<typeof inBucket>,
    id: string,
    use: (file: StagedFile) => Promise<Video>,
  ): Promise<Video> {
    await uploads.complete(id);
    const key = sourceKey(id);
    const video = await bucket.withLocalFile(key, (path) =>
      use({ path, keep: () => storage.adopt(key), isKept: true }),
    );
    // The video exists. If this fails, the sweep cleans up the upload.
    await uploads.forget(id).catch(() => undefined);
    return video;
  }

  async function takeOnce(
    { id, account }: { id: string; account: string | null },
    use: (file: StagedFile) => Promise<Video>,
  ): Promise<Video> {
    const before = await findVideo(id);
    if (before !== null) return before;
    const bucketUpload = (await inBucket?.uploads.find(id)) ?? null;
    if (inBucket !== null && bucketUpload !== null) {
      if (bucketUpload.account !== account) throw unknownUpload();
      try {
        return await takeFromBucket(inBucket, id, use);
      } catch (error) {
        if (isFinal(error)) await discard(id);
        throw error;
      }
    }
    const upload = await findUpload(id);
    if (upload === null || upload.account !== account) throw unknownUpload();
    const { size } = await stat(pathOf(id));
    if (size !== upload.sizeBytes) {
      throw new AppError("conflict", "The file hasn't been uploaded completely yet.");
    }
    // Second name of the same bytes, so that `use` can move it away without changing the upload.
    const linked = join(directory, `taken-${newToken(9)}`);
    try {
      await linkOrCopy(pathOf(id), linked).catch((error: unknown) => {
        throw translateDiskError(error);
      });
      const video = await use({ path: linked, isKept: true });
      await discard(id).catch(() => undefined);
      return video;
    } catch (error) {
      if (isFinal(error)) await discard(id);
      throw error;
    } finally {
      await rm(linked, { force: true });
    }
  }

  return {
    discard,

    /**
     * Passes an upload's complete local file to `use`, then deletes the upload. Concurrent calls,
     * and repeated ones after a lost response, return the same video. If `use` fails for a
     * temporary reason, the upload stays.
     * @throws AppError not_found for an unknown id or another account's upload; conflict if bytes
     * are missing; the errors of `use`.
     */
    async take(
      upload: { id: string; account: string | null },
      use: (file: StagedFile) => Promise<Video>,
    ): Promise<Video> {
      if (!isUuid(upload.id)) throw new AppError("not_found", "Upload not found.");
      const release = await locks.acquire(upload.id);
      try {
        return await takeOnce(upload, use);
      } finally {
        await release();
      }
    },

    /** Deletes uploads that haven't grown for this long. @returns their number. */
    async sweep(untouchedMs: number): Promise<number> {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      let count = (await inBucket?.uploads.sweep(untouchedMs)) ?? 0;
      for (const name of await readdir(directory)) {
        const path = join(directory, name);
        const info = await stat(path).catch(() => null);
        if (info === null || Date.now() - info.mtimeMs < untouchedMs) continue;
        if (name.endsWith(".json")) {
          // An upload's description is deleted together with its bytes. The age of the bytes
          // counts.
          const bytes = await stat(path.slice(0, -".json".length)).catch(() => null);
          if (bytes !== null) continue;
        } else count += 1;
        await unlink(path).catch(() => undefined);
      }
      return count;
    },
  };
}

export type StagedUploads = ReturnType<typeof createStagedUploads>;

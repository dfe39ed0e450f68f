import { link, mkdir, readdir, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Video } from "#contract/videos/videos.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid, newToken } from "#server/lib/ids.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import type { SiteStorage } from "#server/storage/site-storage.ts";
import type { ObjectStat } from "#server/storage/storage.ts";
import type { BucketUploads } from "./bucket-uploads.ts";
import type { UploadLocks } from "./upload-locks.ts";

/** A complete file, and how it becomes an object where it is in the bucket already. */
interface StagedFile {
  path: string;
  keep?: () => Promise<ObjectStat>;
  isKept?: boolean;
}

/** An upload in the folder: the bytes that it announced, and whose it is. */
export interface FolderUpload {
  sizeBytes: number;
  account: string | null;
}

/** Files that were sent by tus and wait for their form. */
export interface StagedUploads {
  /**
   * Passes the complete file of an upload to `use`, also as a local file, and deletes the upload
   * afterwards. A repeated call, as after a lost response, returns the same video; so do calls at
   * the same time. If `use` fails for a reason that may pass, the upload is kept.
   * @throws AppError not_found for an unknown id and for another account's upload; conflict while
   *   bytes are missing; what `use` threw.
   */
  take(
    upload: { id: string; account: string | null },
    use: (file: StagedFile) => Promise<Video>,
  ): Promise<Video>;
  /** Deletes an upload, but not the source of a video that it has become. */
  discard(uploadId: string): Promise<void>;
  /** Deletes uploads that have not grown for this long; returns how many. */
  sweep(untouchedMs: number): Promise<number>;
}

/** Errors that sending the same file again does not change. */
export const isFinal = (error: unknown) =>
  error instanceof AppError && ["unsupported_media", "unusable_video"].includes(error.code);

const unknownUpload = () =>
  new AppError("not_found", "This upload has expired. Upload the file again.");

export function createStagedUploads(deps: {
  /** Holds unfinished and unclaimed uploads: `{id}` and `{id}.json`. */
  directory: string;
  /** The video that an upload became, or null. */
  findVideo: (uploadId: string) => Promise<Video | null>;
  /** An upload in the folder, or null for an unknown one. */
  findUpload: (uploadId: string) => Promise<FolderUpload | null>;
  locks: Pick<UploadLocks, "acquire">;
  /** Holds the uploads that were begun while the media were in a bucket. */
  inBucket: { uploads: BucketUploads; storage: S3Storage } | null;
  storage: Pick<SiteStorage, "adopt">;
}): StagedUploads {
  const { directory, findVideo, findUpload, locks, inBucket, storage } = deps;
  const pathOf = (id: string) => join(directory, id);

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
    // The video exists. The sweep forgets what cannot be forgotten now.
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
    // A second link to the same bytes: `use` may move it away while the upload stays complete.
    const linked = join(directory, `taken-${newToken(9)}`);
    await link(pathOf(id), linked);
    try {
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

    async take(upload, use) {
      if (!isUuid(upload.id)) throw new AppError("not_found", "Upload not found.");
      const release = await locks.acquire(upload.id);
      try {
        return await takeOnce(upload, use);
      } finally {
        await release();
      }
    },

    async sweep(untouchedMs) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      let count = (await inBucket?.uploads.sweep(untouchedMs)) ?? 0;
      for (const name of await readdir(directory)) {
        const path = join(directory, name);
        const info = await stat(path).catch(() => null);
        if (info === null || Date.now() - info.mtimeMs < untouchedMs) continue;
        if (name.endsWith(".json")) {
          // The description of an upload is deleted with its bytes, whose age counts.
          const bytes = await stat(path.slice(0, -".json".length)).catch(() => null);
          if (bytes !== null) continue;
        } else count += 1;
        await unlink(path).catch(() => undefined);
      }
      return count;
    },
  };
}

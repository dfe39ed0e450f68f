import { link, mkdir, readdir, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Video } from "../../../contract/videos.ts";
import { AppError } from "../../lib/app-error.ts";
import { isUuid, newToken } from "../../lib/ids.ts";

/** Bytes that came in parts and wait for their form. */
export interface StagedUploads {
  /** Where the parts of unfinished and unclaimed uploads lie: `{id}` and `{id}.json`. */
  directory: string;
  /**
   * Hands the complete file of an upload to `use` and forgets it afterwards. Asked again (an answer
   * that was lost on its way), it answers what came of it before; asked twice at once, both get the
   * same. Where `use` fails for a reason that trying again can mend, the file stays.
   * @throws AppError not_found for an unknown id, conflict while bytes are missing; what `use` threw.
   */
  take(uploadId: string, use: (localPath: string) => Promise<Video>): Promise<Video>;
  /** Throws away what was sent of an upload. */
  discard(uploadId: string): Promise<void>;
  /** Removes what nobody has added to for so long. Returns how many uploads went. */
  sweep(untouchedMs: number): Promise<number>;
}

/** Nothing that is sent again makes these files usable. */
const isHopeless = (error: unknown) =>
  error instanceof AppError && ["unsupported_media", "unusable_video"].includes(error.code);

export function createStagedUploads(deps: {
  directory: string;
  /** The video that an upload became, or null. */
  findVideo: (uploadId: string) => Promise<Video | null>;
  /** How many bytes an upload announced, or null for an unknown one. */
  findSize: (uploadId: string) => Promise<number | null>;
}): StagedUploads {
  const { directory, findVideo, findSize } = deps;
  const taking = new Map<string, Promise<Video>>();
  const pathOf = (id: string) => join(directory, id);

  async function discard(id: string): Promise<void> {
    await rm(pathOf(id), { force: true });
    await rm(`${pathOf(id)}.json`, { force: true });
  }

  async function takeOnce(id: string, use: (localPath: string) => Promise<Video>): Promise<Video> {
    const before = await findVideo(id);
    if (before !== null) return before;
    const sizeBytes = await findSize(id);
    if (sizeBytes === null) {
      throw new AppError(
        "not_found",
        "This upload is unknown or was too old; send the file again.",
      );
    }
    const { size } = await stat(pathOf(id));
    if (size !== sizeBytes) {
      throw new AppError("conflict", "The file has not arrived in full yet.");
    }
    // A second name for the same bytes: whatever becomes of it, the upload itself stays whole.
    const handed = join(directory, `taken-${newToken(9)}`);
    await link(pathOf(id), handed);
    try {
      const video = await use(handed);
      await discard(id);
      return video;
    } catch (error) {
      if (isHopeless(error)) await discard(id);
      throw error;
    } finally {
      await rm(handed, { force: true });
    }
  }

  return {
    directory,
    discard,

    take(uploadId, use) {
      if (!isUuid(uploadId)) {
        return Promise.reject(new AppError("not_found", "This upload is unknown."));
      }
      const running = taking.get(uploadId);
      if (running !== undefined) return running;
      const run = takeOnce(uploadId, use).finally(() => taking.delete(uploadId));
      taking.set(uploadId, run);
      return run;
    },

    async sweep(untouchedMs) {
      await mkdir(directory, { recursive: true });
      let count = 0;
      for (const name of await readdir(directory)) {
        const path = join(directory, name);
        const info = await stat(path).catch(() => null);
        if (info === null || Date.now() - info.mtimeMs < untouchedMs) continue;
        if (name.endsWith(".json")) {
          // The note about an upload goes with its bytes, whose time counts.
          const bytes = await stat(path.slice(0, -".json".length)).catch(() => null);
          if (bytes !== null) continue;
        } else count += 1;
        await unlink(path).catch(() => undefined);
      }
      return count;
    },
  };
}

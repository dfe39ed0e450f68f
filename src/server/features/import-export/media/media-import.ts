import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { Config } from "#server/config.ts";
import type { Actor } from "#server/features/audit/audit.service.ts";
import { AppError, hasCode } from "#server/lib/app-error.ts";
import type { GuardedRequest } from "#server/lib/outbound/guarded-request.ts";
import { receiveToFile } from "#server/storage/receive-file.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { IngestInput, IngestService } from "#server/features/uploads/ingest.service.ts";
import { fetchMedia, problemOf } from "./fetch-media.ts";
import { findFileBelow } from "./import-folder.ts";

/** Origin of a new video's file. */
export interface MediaSource {
  /** Name of the file. */
  name: string;
  open(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

export type CheckedOrigins = Map<string, Promise<void>>;

const maxTransferMs = 2 * 3_600_000;

/** Sources of new videos other than uploads by browsers. */
export function createMediaImport(deps: {
  config: Config;
  storage: Storage;
  ingest: IngestService;
  request: GuardedRequest;
}) {
  const { config, storage, ingest, request } = deps;
  return {
    /** Finds a file of the import folder. @throws AppError not_found. */
    async findFile(path: string): Promise<MediaSource> {
      if (config.importDir === null) {
        throw new AppError("not_found", "file: this server has no import folder (IMPORT_DIR)");
      }
      const found = await findFileBelow(config.importDir, path);
      if (found === null) {
        throw new AppError("not_found", "file: not found in the import folder");
      }
      return {
        name: basename(path),
        open: async (signal) => createReadStream(found, { signal }),
      };
    },

    /**
     * Accepts an address on the public internet.
     * @param checked results by origin, so that a file with many rows looks up each name once.
     * @throws AppError invalid.
     */
    async findAddress(address: string, checked: CheckedOrigins): Promise<MediaSource> {
      const url = URL.parse(address);
      if (url === null || !/^https?:$/.test(url.protocol)) {
        throw new AppError("invalid", "address: must be an HTTP or HTTPS URL");
      }
      if (url.username !== "" || url.password !== "") {
        throw new AppError("invalid", "address: can't contain a user name or password");
      }
      const check = checked.get(url.origin) ?? request.check(url);
      checked.set(url.origin, check);
      await check.catch((error: unknown) => {
        // A name server that doesn't respond now may respond when the import runs.
        if (hasCode(error, "EAI_AGAIN", "ETIMEOUT")) return;
        throw new AppError("invalid", problemOf(error), { cause: error });
      });
      return {
        name: nameOf(url),
        open: (signal) => fetchMedia(request, url, { maxBytes: config.maxUploadBytes, signal }),
      };
    },

    /** Receives the file and adds the video like an upload. @throws the errors of an upload. */
    async create(
      source: MediaSource,
      video: Pick<IngestInput, "slug" | "title" | "description" | "isPremium" | "labels"> & {
        id: string;
      },
      { actor, signal }: { actor: Actor; signal: AbortSignal },
    ): Promise<void> {
      await using scratch = await storage.createScratch();
      const path = `${scratch.path}/video`;
      await receiveInTime(signal, async (inTime) =>
        receiveToFile(await source.open(inTime), path, {
          maxBytes: config.maxUploadBytes,
          signal: inTime,
        }),
      );
      // After a lost connection, another worker may have created the video with this id.
      await ingest.ingest({ ...video, path, isKept: true, thumbnailPath: null, actor, signal });
    },
  };
}

export type MediaImport = ReturnType<typeof createMediaImport>;

/**
 * Limits the time, because the next rows wait for this one.
 * @throws AppError invalid after a timeout.
 */
async function receiveInTime<T>(
  signal: AbortSignal,
  receive: (inTime: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(maxTransferMs);
  try {
    return await receive(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    const message = `The download took more than ${maxTransferMs / 3_600_000} hours`;
    throw new AppError("invalid", message, { cause: error });
  }
}

function nameOf(url: URL): string {
  const last = url.pathname.split("/").findLast((part) => part !== "") ?? url.hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

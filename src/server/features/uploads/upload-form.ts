import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { limits } from "#contract/limits.ts";
import type { Video } from "#contract/videos/videos.ts";
import { requireStillAllowed } from "#server/http/access/policy.ts";
import { AppError } from "#server/lib/app-error.ts";
import { receiveToFile } from "#server/storage/receive-file.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { IngestInput } from "./ingest.service.ts";
import { readMultipart } from "./multipart.ts";
import type { StagedUploads } from "./staged-uploads.ts";

/** File of a form, as input of `ingest`. */
type ArrivedFile = Pick<IngestInput, "id" | "path" | "keep" | "isKept" | "signal">;

/** Received multipart form. Files that nothing takes are deleted with it. */
interface UploadForm extends AsyncDisposable {
  fields: Record<string, string>;
  thumbnailPath: string | null;
  /** Passes the form's file, or the tus upload that the form refers to, to `use`. */
  take(use: (file: ArrivedFile) => Promise<Video>): Promise<Video>;
}

/**
 * Receives a form and writes its file to a temporary folder as it arrives.
 * @throws AppError unsupported_media, too_large; invalid without a file.
 */
export async function receiveUploadForm(
  deps: { storage: Storage; staged: Pick<StagedUploads, "take">; maxBytes: number },
  request: FastifyRequest,
): Promise<UploadForm> {
  const { storage, staged, maxBytes } = deps;
  const { body } = request;
  if (!(body instanceof Readable)) {
    throw new AppError("unsupported_media", "Send the video as multipart/form-data.");
  }
  await using atEnd = new AsyncDisposableStack();
  const scratch = atEnd.use(await storage.createScratch());
  const hangUp = new AbortController();
  request.raw.on("aborted", () => hangUp.abort());

  const path = `${scratch.path}/video`;
  const arrived = { hasVideo: false, thumbnailPath: null as string | null };
  let hasThumbnailField = false;
  const fields = await readMultipart(
    { headers: request.headers, body },
    { fieldBytes: 100_000, fields: 40, files: 4 },
    async (name, stream) => {
      if (name === "video" && !arrived.hasVideo) {
        arrived.hasVideo = true;
        await receiveToFile(stream, path, { maxBytes, signal: hangUp.signal });
      } else if (name === "thumbnail" && !hasThumbnailField) {
        hasThumbnailField = true;
        const picturePath = `${scratch.path}/thumbnail`;
        const { sizeBytes } = await receiveToFile(stream, picturePath, {
          maxBytes: limits.maxThumbnailBytes,
          signal: hangUp.signal,
        });
        if (sizeBytes > 0) arrived.thumbnailPath = picturePath;
      } else stream.resume();
    },
  );
  await requireStillAllowed(request);
  const uploadId = fields["uploadId"] ?? "";
  if (!arrived.hasVideo && uploadId === "") {
    throw new AppError("invalid", "Choose a video file.", {
      issues: [{ path: "video", message: "Choose a video file." }],
    });
  }
  const kept = atEnd.move();
  return {
    fields,
    thumbnailPath: arrived.thumbnailPath,
    take: (use) =>
      !arrived.hasVideo
        ? // The file is complete, so it is taken even if the client disconnects now.
          staged.take({ id: uploadId, account: request.user?.id ?? null }, (file) =>
            use({ ...file, id: uploadId }),
          )
        : use({ path, signal: hangUp.signal }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

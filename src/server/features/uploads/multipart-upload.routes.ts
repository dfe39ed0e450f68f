import { Readable } from "node:stream";
import { limits } from "../../../contract/limits.ts";
import { video, videoUploadFields } from "../../../contract/videos.ts";
import type { Config } from "../../config.ts";
import { actorOf } from "../../http/access/actor.ts";
import type { App } from "../../http/app.ts";
import { AppError } from "../../lib/app-error.ts";
import { newId } from "../../lib/ids.ts";
import { sourceKey } from "../../storage/media-keys.ts";
import { receiveToFile, tooLargeMessage } from "../../storage/receive-file.ts";
import type { ReceivedFile, Storage } from "../../storage/storage.ts";
import type { IngestInput, IngestService } from "./ingest.service.ts";
import { readMultipart } from "./multipart.ts";
import type { StagedUploads } from "./staged-uploads.ts";

/** Bytes of a form besides the video: text fields, thumbnail and boundaries. */
const envelopeBytes = limits.maxThumbnailBytes + 1024 * 1024;

/**
 * Upload by a multipart form: the file streams to the storage as it arrives. A form whose file was sent by
 * tus names that upload (`uploadId`) instead.
 */
export function registerMultipartUploadRoutes(
  app: App,
  deps: {
    config: Pick<Config, "maxUploadBytes">;
    storage: Storage;
    ingest: IngestService;
    staged: Pick<StagedUploads, "take">;
  },
): void {
  const { config, storage, ingest, staged } = deps;

  void app.register(async (scope) => {
    // The body stays a stream, so that nothing is held in memory.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));

    scope.post(
      "/api/videos",
      {
        config: {
          policy: "content.edit",
          isUpload: true,
          tooLargeMessage: tooLargeMessage(config.maxUploadBytes),
        },
        bodyLimit: config.maxUploadBytes + envelopeBytes,
        schema: {
          tags: ["videos"],
          summary: "Upload a video (multipart/form-data: video, title, thumbnail and the rest)",
          consumes: ["multipart/form-data"],
        },
      },
      async (request, reply) => {
        const actor = actorOf(request);
        if (!(request.body instanceof Readable)) {
          throw new AppError("unsupported_media", "Send the video as multipart/form-data.");
        }
        await using scratch = await storage.createScratch();
        const hangUp = new AbortController();
        request.raw.on("aborted", () => hangUp.abort());

        const id = newId();
        const path = `${scratch.path}/video`;
        const arrived: { video: ReceivedFile | null } = { video: null };
        await using atEnd = new AsyncDisposableStack();
        let thumbnailPath: string | null = null;
        let hasThumbnailField = false;
        const fields = await readMultipart(
          { headers: request.headers, body: request.body },
          { fieldBytes: 100_000, fields: 40, files: 4 },
          async (name, stream) => {
            if (name === "video" && arrived.video === null) {
              const received = await storage.receive(stream, path, {
                key: sourceKey(id),
                maxBytes: config.maxUploadBytes,
                signal: hangUp.signal,
              });
              atEnd.defer(() => received.end());
              arrived.video = received;
            } else if (name === "thumbnail" && !hasThumbnailField) {
              hasThumbnailField = true;
              const picturePath = `${scratch.path}/thumbnail`;
              const { sizeBytes } = await receiveToFile(stream, picturePath, {
                maxBytes: limits.maxThumbnailBytes,
                signal: hangUp.signal,
              });
              if (sizeBytes > 0) thumbnailPath = picturePath;
            } else stream.resume();
          },
        );
        const uploadId = fields["uploadId"] ?? "";
        if (arrived.video === null && uploadId === "") {
          throw new AppError("invalid", "Choose a video file.", {
            issues: [{ path: "video", message: "Choose a video file." }],
          });
        }
        const checked = videoUploadFields.safeParse(fields);
        if (!checked.success) {
          const issues = checked.error.issues.map((issue) => ({
            path: issue.path.join("."),
            message: issue.message,
          }));
          throw new AppError("invalid", issues[0]?.message ?? "The form is not valid.", { issues });
        }
        const input = checked.data;
        const about: Omit<IngestInput, "path"> = {
          thumbnailPath,
          title: input.title,
          description: input.description ?? null,
          labels: {
            categories: input.categories ?? [],
            tags: input.tags ?? [],
            actors: input.actors ?? [],
          },
          isPremium: input.isPremium ?? false,
          actor,
        };
        const uploaded =
          arrived.video === null
            ? // The file is complete, so the video is added even if the client hangs up now.
              await staged.take(uploadId, (file) =>
                ingest.ingest({ ...about, ...file, id: uploadId }),
              )
            : await ingest.ingest({
                ...{ ...about, id, path, keep: arrived.video.keep },
                signal: hangUp.signal,
              });
        return reply.status(201).send(video.parse(uploaded));
      },
    );
  });
}

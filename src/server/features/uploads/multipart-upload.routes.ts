import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { limits } from "#contract/limits.ts";
import { video, videoParams, videoUploadFields } from "#contract/videos/videos.ts";
import type { Config } from "#server/config.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import { tooLargeMessage } from "#server/storage/receive-file.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { IngestInput, IngestService } from "./ingest.service.ts";
import type { StagedUploads } from "./staged-uploads.ts";
import { receiveUploadForm } from "./upload-form.ts";

/** Size limit of a form's other parts: text fields, thumbnail and boundaries. */
const envelopeBytes = limits.maxThumbnailBytes + 1024 * 1024;

/**
 * Uploads by multipart form. The file is written to the disk as it arrives. If the file was sent by
 * tus, the form contains its `uploadId` instead.
 */
export function registerMultipartUploadRoutes(
  app: App,
  deps: {
    config: Pick<Config, "maxUploadBytes">;
    storage: Storage;
    ingest: IngestService;
    staged: Pick<StagedUploads, "take">;
    videos: Pick<VideosService, "getId">;
  },
): void {
  const { config, ingest, videos } = deps;
  const formDeps = { ...deps, maxBytes: config.maxUploadBytes };

  void app.register(async (scope) => {
    // The body stays a stream, so that it isn't held in memory.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));

    const uploadRoute = {
      config: {
        policy: "content.edit",
        isUpload: true,
        // Browsers send a small upload again by themselves if its response got lost.
        isIdempotent: true,
        tooLargeMessage: tooLargeMessage(config.maxUploadBytes),
      },
      bodyLimit: config.maxUploadBytes + envelopeBytes,
    } as const;

    scope.post(
      "/api/videos",
      {
        ...uploadRoute,
        schema: {
          tags: ["videos"],
          summary: "Upload a video (multipart/form-data: video, title, thumbnail and other fields)",
          consumes: ["multipart/form-data"],
        },
      },
      async (request, reply) => {
        const actor = actorOf(request);
        await using form = await receiveUploadForm(formDeps, request);
        const checked = videoUploadFields.safeParse(form.fields);
        if (!checked.success) {
          const issues = checked.error.issues.map((issue) => ({
            path: issue.path.join("."),
            message: issue.message,
          }));
          throw new AppError("invalid", issues[0]?.message ?? "The form isn't valid.", { issues });
        }
        const input = checked.data;
        const about: Omit<IngestInput, "path"> = {
          thumbnailPath: form.thumbnailPath,
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
        const uploaded = await form.take((file) => ingest.ingest({ ...about, ...file }));
        return reply.status(201).send(video.parse(uploaded));
      },
    );

    scope.withTypeProvider<ZodTypeProvider>().post(
      "/api/admin/videos/:id/file",
      {
        ...uploadRoute,
        schema: {
          tags: ["admin videos"],
          summary:
            "Replace the file of a video; the old one stays until the new one is processed (multipart/form-data: video, or uploadId)",
          params: videoParams,
          consumes: ["multipart/form-data"],
        },
      },
      async (request, reply) => {
        const actor = actorOf(request);
        // Checked before the bytes are read.
        const videoId = await videos.getId(request.params.id, { isAdmin: true });
        await using form = await receiveUploadForm(formDeps, request);
        const replaced = await form.take((file) => ingest.replace({ ...file, videoId, actor }));
        return reply.status(202).send(video.parse(replaced));
      },
    );
  });
}

import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { limits } from "#contract/limits.ts";
import { video, videoParams, videoUploadFields, type Video } from "#contract/videos/videos.ts";
import type { Config } from "#server/config.ts";
import { actorOf, requireStillAllowed } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import { tooLargeMessage, receiveToFile } from "#server/storage/receive-file.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { normalizeLineBreaks } from "#server/features/auth/form-post.ts";
import type { IngestInput, IngestService } from "./ingest.service.ts";
import type { StagedUploads } from "./staged-uploads.ts";

interface MultipartLimits {
  fieldBytes: number;
  fields: number;
  files: number;
}

/**
 * Parses a multipart body as it arrives and returns its fields. Passes each file to `onFile`, which
 * must read it to the end or fail. Only fields are held in memory.
 * @throws AppError invalid for a body that isn't a complete multipart form; the errors of `onFile`.
 */
export function readMultipart(
  request: { headers: IncomingHttpHeaders; body: Readable },
  limits: MultipartLimits,
  onFile: (name: string, stream: BusboyFileStream, fileName: string) => Promise<void>,
): Promise<Record<string, string>> {
  const contentType = request.headers["content-type"];
  if (contentType === undefined || !/^multipart\/form-data\s*;/i.test(contentType)) {
    return Promise.reject(
      new AppError("unsupported_media", "Send the video as multipart/form-data."),
    );
  }
  return new Promise((resolve, reject) => {
    // A Map, because names such as "__proto__" come from clients.
    const fields = new Map<string, string>();
    const files: Promise<void>[] = [];
    const streams: BusboyFileStream[] = [];
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { ...request.headers, "content-type": contentType },
        limits: {
          fieldSize: limits.fieldBytes,
          fields: limits.fields,
          files: limits.files,
          fieldNameSize: 100,
        },
      });
    } catch (error) {
      reject(new AppError("invalid", "The form couldn't be read.", { cause: error }));
      return;
    }

    const fail = (error: unknown) => {
      request.body.unpipe(parser);
      // Discards the rest of the body, so that the client reads the response.
      request.body.resume();
      parser.destroy();
      // Otherwise `onFile` would wait for the rest forever and keep its file open.
      for (const stream of streams) stream.destroy();
      reject(error);
    };
    parser.on("field", (name, value, isNameTruncated, isValueTruncated) => {
      if (isNameTruncated || isValueTruncated) {
        fail(new AppError("invalid", `The ${name.slice(0, 40)} field is too long.`));
      } else fields.set(name, normalizeLineBreaks(value));
    });
    parser.on("file", (name, stream, fileName) => {
      streams.push(stream);
      const done = onFile(name, stream, fileName);
      files.push(done);
      done.catch(fail);
    });
    parser.on("fieldsLimit", () => fail(new AppError("invalid", "The form has too many fields.")));
    parser.on("filesLimit", () => fail(new AppError("invalid", "The form has too many files.")));
    parser.on("error", (error) =>
      fail(new AppError("invalid", "The form is incomplete.", { cause: error })),
    );
    parser.on("finish", () => {
      Promise.all(files).then(() => resolve(Object.fromEntries(fields)), reject);
    });
    request.body.on("aborted", () =>
      fail(new AppError("invalid", "The upload was interrupted before it was complete.")),
    );
    request.body.pipe(parser);
  });
}

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
async function receiveUploadForm(
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

/** Form of a video's file, or of the `uploadId` of a file that was sent by tus. */
const fileForm = z.object({ video: z.file().optional(), uploadId: z.string().optional() });
const uploadForm = fileForm.extend({ thumbnail: z.file().optional(), ...videoUploadFields.shape });

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

    scope.withTypeProvider<ZodTypeProvider>().post(
      "/api/videos",
      {
        ...uploadRoute,
        config: { ...uploadRoute.config, form: uploadForm },
        schema: {
          tags: ["videos"],
          summary: "Upload a video (multipart/form-data: video, title, thumbnail and other fields)",
          consumes: ["multipart/form-data"],
          response: { 201: video },
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
        return reply.status(201).send(uploaded);
      },
    );

    scope.withTypeProvider<ZodTypeProvider>().post(
      "/api/admin/videos/:id/file",
      {
        ...uploadRoute,
        config: { ...uploadRoute.config, form: fileForm },
        schema: {
          tags: ["admin videos"],
          summary:
            "Replace the file of a video; the old one stays until the new one is processed (multipart/form-data: video, or uploadId)",
          params: videoParams,
          consumes: ["multipart/form-data"],
          response: { 202: video },
        },
      },
      async (request, reply) => {
        const actor = actorOf(request);
        // Checked before the bytes are read.
        const videoId = await videos.getId(request.params.id, { isAdmin: true });
        await using form = await receiveUploadForm(formDeps, request);
        const replaced = await form.take((file) => ingest.replace({ ...file, videoId, actor }));
        return reply.status(202).send(replaced);
      },
    );
  });
}

import { Readable } from "node:stream";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import {
  addedCaption,
  adminCaptions,
  captionChange,
  captionDetails,
  captionLimits,
  captionParams,
  captionUploadQuery,
} from "#contract/videos/captions.ts";
import { videoParams } from "#contract/videos/videos.ts";
import { transcript, transcriptQuery } from "#contract/videos/transcript.ts";
import { actorOf, requireStillAllowed, viewerOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import { AppError } from "#server/lib/app-error.ts";
import { tooLargeMessage } from "#server/storage/receive-file.ts";
import type { AutomaticCaptions } from "./automatic-captions.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { CaptionsService } from "./captions.service.ts";
import type { TranscriptsService } from "./transcripts.service.ts";

const tags = ["admin videos"];
/** JSON adds times and quotes to every line. */
const maxLinesBytes = captionLimits.maxFileBytes * 2;
/** Each line is an object with four fields. The rest is for the fields of the track. */
const maxLinesValues = captionLimits.maxLines * 6;

export function registerCaptionRoutes(
  app: App,
  {
    captions,
    transcripts,
    automatic,
    videos,
  }: {
    captions: CaptionsService;
    transcripts: TranscriptsService;
    automatic: AutomaticCaptions;
    videos: VideosService;
  },
): void {
  app.get(
    "/api/videos/:id/transcript",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags: ["videos"],
        summary: "Get a part of a video's transcript",
        params: videoParams,
        querystring: transcriptQuery,
        response: { 200: transcript },
      },
    },
    async (request) =>
      transcripts.get(await videos.get(request.params.id, viewerOf(request)), request.query),
  );

  app.get(
    "/api/admin/videos/:id/captions",
    {
      config: { policy: "content.read" },
      schema: {
        tags,
        summary: "List a video's caption tracks",
        params: videoParams,
        response: { 200: adminCaptions },
      },
    },
    async (request) => {
      const { videoId, ...list } = await captions.list(request.params.id);
      return { ...list, automatic: await automatic.stateOf(videoId) };
    },
  );

  app.post(
    "/api/admin/videos/:id/captions/automatic",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Create captions with CAPTION_COMMAND in the background",
        params: videoParams,
        response: { 200: adminCaptions },
      },
    },
    async (request) => {
      const { videoId, ...list } = await captions.list(request.params.id);
      await automatic.request(videoId);
      return { ...list, automatic: await automatic.stateOf(videoId) };
    },
  );

  app.get(
    "/api/admin/videos/:id/captions/:captionId",
    {
      config: { policy: "content.read" },
      schema: {
        tags,
        summary: "Get a caption track with its lines",
        params: captionParams,
        response: { 200: captionDetails },
      },
    },
    (request) => captions.get(request.params.id, request.params.captionId),
  );

  app.put(
    "/api/admin/videos/:id/captions/:captionId",
    {
      config: { policy: "content.edit", maxJsonValues: maxLinesValues },
      bodyLimit: maxLinesBytes,
      schema: {
        tags,
        summary: "Change a caption track; absent fields stay as they are",
        params: captionParams,
        body: captionChange,
        response: { 200: captionDetails },
      },
    },
    (request) => {
      const { params, body } = request;
      return captions.change(params.id, params.captionId, body, actorOf(request));
    },
  );

  app.delete(
    "/api/admin/videos/:id/captions/:captionId",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Delete a caption track",
        params: captionParams,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await captions.remove(request.params.id, request.params.captionId, actorOf(request));
      return reply.status(204).send();
    },
  );

  void app.register(async (scope) => {
    // The body is the file itself. Its type is detected from the content.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.withTypeProvider<ZodTypeProvider>().post(
      "/api/admin/videos/:id/captions",
      {
        config: {
          policy: "content.edit",
          isUpload: true,
          tooLargeMessage: tooLargeMessage(captionLimits.maxFileBytes),
        },
        bodyLimit: captionLimits.maxFileBytes + 1,
        schema: {
          tags,
          params: videoParams,
          querystring: captionUploadQuery,
          summary: "Add captions: the file is the body (SRT, WebVTT or ASS; at most 4 MB)",
          consumes: ["text/vtt", "application/x-subrip", "text/x-ssa", "text/plain"],
          response: { 201: addedCaption },
        },
      },
      async (request, reply) => {
        if (!(request.body instanceof Readable)) {
          throw new AppError("invalid", "Send the captions as the request body.");
        }
        const bytes = await readAll(request.body);
        await requireStillAllowed(request);
        const { params, query } = request;
        const added = await captions.add(params.id, bytes, query, actorOf(request));
        return reply.status(201).send(added);
      },
    );
  });
}

async function readAll(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of body) {
    if (!Buffer.isBuffer(piece))
      throw new AppError("invalid", "Send the captions as the request body.");
    sizeBytes += piece.length;
    if (sizeBytes > captionLimits.maxFileBytes) {
      throw new AppError("too_large", tooLargeMessage(captionLimits.maxFileBytes));
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

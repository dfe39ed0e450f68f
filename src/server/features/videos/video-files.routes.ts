import type { ZodTypeProvider } from "fastify-type-provider-zod";
import {
  videoFileList,
  videoFileKinds,
  type VideoFileList,
} from "#contract/videos/admin-videos.ts";
import { video, videoParams } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import type { App } from "#server/http/app.ts";
import { containerHeadBytes, detectContainer } from "#server/media/probe/magic.ts";
import { keepBodies, pictureRoute, withPicture } from "#server/http/picture-body.ts";
import { sendPieces } from "#server/http/send-pieces.ts";
import type { OpenObject, Storage } from "#server/storage/storage.ts";
import { efficientFolder, hdrFolder } from "#server/media/plan/ladder.ts";
import { stepFolder, videoFolder } from "#server/storage/media-keys.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { ReplacementsService } from "./replacements/replacements.service.ts";
import { getVideoRow, type VideoRow } from "./videos.repository.ts";
import type { ThumbnailService } from "./thumbnail.service.ts";
import { listSameFiles } from "./files/same-files.ts";
import { sourceKeyOf } from "./files/video-files.ts";
import { entriesInUse, filesOf } from "./files/video-files.ts";

type File = VideoFileList["files"][number];

/** Returns the sizes of the files that a video uses now. Leaves out leftovers of earlier runs. */
async function listVideoFiles(
  storage: Storage,
  row: VideoRow,
): Promise<Omit<VideoFileList, "replacement" | "sameFileAs">> {
  const own = filesOf(row);
  const inUse = entriesInUse(own, row.captions);
  const ladder = own.hls_master === null ? null : stepFolder(own.hls_master);
  const folder = videoFolder(row.media_token);
  const files: File[] = [];
  for await (const { key, sizeBytes } of storage.list(folder)) {
    const [entry = ""] = key.slice(folder.length).split("/");
    if (!inUse.has(entry)) continue;
    const height = /\/v(\d+)\.mp4$/.exec(key)?.[1];
    const kind = (): File["kind"] => {
      if (key === own.progressive) return "progressive";
      if (key === own.progressive_small) return "small";
      if (key === own.audio) return "sound";
      if (ladder !== null && key.startsWith(ladder) && key.endsWith(".mp4")) {
        if (height === undefined) return "sound";
        if (key.includes(`/${hdrFolder}`)) return "hdr";
        return key.includes(`/${efficientFolder}`) ? "efficient" : "rendition";
      }
      return /\.(jpe?g|webp|avif|png)$/.test(key) || key === own.preview ? "picture" : "other";
    };
    files.push({ kind: kind(), height: height === undefined ? null : Number(height), sizeBytes });
  }
  const original = await storage.findStat(sourceKeyOf(row));
  return { originalBytes: original?.sizeBytes ?? null, files: joined(files) };
}

const rendered: ReadonlySet<File["kind"]> = new Set(["rendition", "efficient", "hdr"]);

/**
 * Combines the pictures, the playlists and the remaining files into one entry each. Renditions are
 * sorted by size, largest first.
 */
function joined(files: readonly File[]): File[] {
  const sums = new Map<string, File>();
  for (const file of files) {
    const height = rendered.has(file.kind) ? file.height : null;
    const name = `${file.kind}-${height ?? ""}`;
    const sum = sums.get(name);
    const sizeBytes = (sum?.sizeBytes ?? 0) + file.sizeBytes;
    sums.set(name, { kind: file.kind, height, sizeBytes });
  }
  const rankOf = ({ kind }: File) => videoFileKinds.indexOf(kind);
  return [...sums.values()].toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (b.height ?? 0) - (a.height ?? 0),
  );
}

const extensions = { mov: "mp4", matroska: "mkv", avi: "avi" };

/** Routes of a video's files: their sizes, the original as a download, a new file, a thumbnail. */
export function registerVideoFileRoutes(
  app: App,
  {
    db,
    storage,
    replacements,
    thumbnails,
  }: {
    db: Db;
    storage: Storage;
    replacements: ReplacementsService;
    thumbnails: ThumbnailService;
  },
): void {
  const tags = ["admin videos"];

  app.get(
    "/api/admin/videos/:id/files",
    {
      config: { policy: "content.read" },
      schema: {
        tags,
        summary: "List a video's files with their sizes",
        params: videoParams,
        response: { 200: videoFileList },
      },
    },
    async (request) => {
      const row = await getVideoRow(db, request.params.id);
      const replacement = await replacements.find(row.id);
      const sameFileAs = await listSameFiles({ db, storage }, row);
      return { ...(await listVideoFiles(storage, row)), replacement, sameFileAs };
    },
  );

  app.get(
    "/api/admin/videos/:id/original",
    {
      config: { policy: "content.edit" },
      schema: { tags, summary: "Download the uploaded file", params: videoParams },
    },
    async (request, reply) => {
      const row = await getVideoRow(db, request.params.id);
      const object = await storage.openRead(sourceKeyOf(row));
      try {
        const container = detectContainer(await readHead(object));
        const extension = container === null ? "bin" : extensions[container];
        // RFC 6266: old programs read the plain name, all others the encoded one.
        const names = `filename="video.${extension}"; filename*=UTF-8''${encodeURIComponent(row.slug)}.${extension}`;
        const { sizeBytes } = object.stat;
        void reply.headers({
          // Browsers never render it, because the content comes from a user.
          "content-type": "application/octet-stream",
          "content-disposition": `attachment; ${names}`,
          "content-length": sizeBytes,
        });
        await sendPieces(reply, object.pieces({ start: 0, end: sizeBytes - 1 }));
        return reply;
      } finally {
        object.close();
      }
    },
  );

  app.delete(
    "/api/admin/videos/:id/file",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Cancel a replacement or reprocessing; the old files stay",
        params: videoParams,
        response: { 200: video },
      },
    },
    (request) => replacements.cancel(request.params.id, actorOf(request)),
  );

  void app.register(async (scope) => {
    keepBodies(scope);
    scope.withTypeProvider<ZodTypeProvider>().put(
      "/api/admin/videos/:id/thumbnail",
      {
        ...pictureRoute,
        config: { ...pictureRoute.config, policy: "content.edit" },
        schema: {
          tags,
          params: videoParams,
          summary:
            "Replace the thumbnail; the body is the picture (JPEG, PNG or WebP, at most 5 MB)",
          consumes: ["image/jpeg", "image/png", "image/webp"],
          response: { 200: video },
        },
      },
      (request) =>
        withPicture(request, storage, (path) =>
          thumbnails.replace(request.params.id, path, actorOf(request)),
        ),
    );
  });
}

async function readHead(object: OpenObject): Promise<Uint8Array> {
  const end = Math.min(containerHeadBytes, object.stat.sizeBytes) - 1;
  for await (const piece of object.pieces({ start: 0, end })) return Uint8Array.from(piece);
  return new Uint8Array();
}

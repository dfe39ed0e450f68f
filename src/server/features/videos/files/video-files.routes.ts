import { videoFileList } from "#contract/videos/admin-videos.ts";
import { videoParams } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import type { App } from "#server/http/app.ts";
import { containerHeadBytes, detectContainer } from "#server/media/probe/magic.ts";
import { sendPieces } from "#server/http/send-pieces.ts";
import type { OpenObject, Storage } from "#server/storage/storage.ts";
import type { ReplacementsService } from "../replacements/replacements.service.ts";
import { getVideoRow } from "../videos.repository.ts";
import { listVideoFiles } from "./list-video-files.ts";
import { listSameFiles } from "./same-files.ts";
import { sourceKeyOf } from "./video-source.ts";

const extensions = { mov: "mp4", matroska: "mkv", avi: "avi" };

/** Routes of a video's files: their sizes, and the original as a download. */
export function registerVideoFileRoutes(
  app: App,
  {
    db,
    storage,
    replacements,
  }: { db: Db; storage: Storage; replacements: Pick<ReplacementsService, "find"> },
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
}

async function readHead(object: OpenObject): Promise<Uint8Array> {
  const end = Math.min(containerHeadBytes, object.stat.sizeBytes) - 1;
  for await (const piece of object.pieces({ start: 0, end })) return Uint8Array.from(piece);
  return new Uint8Array();
}

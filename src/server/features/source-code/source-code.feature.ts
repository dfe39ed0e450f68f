import { open, type FileHandle } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Feature } from "#server/http/app.ts";
import { AppError, hasCode } from "#server/lib/app-error.ts";

/** Written by `setup/source-archive.mjs`, or part of the release. */
const shipped = fileURLToPath(new URL("../../../../source.tar.gz", import.meta.url));

/** Serves the download of the page `/source`, which section 13 of the AGPL requires. */
export function createSourceCodeFeature(archive = shipped): Feature {
  async function openArchive(): Promise<FileHandle> {
    try {
      return await open(archive);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
      const message = "This site has no source code archive. Ask its operator for the source code.";
      throw new AppError("not_found", message, { cause: error });
    }
  }

  return {
    registerRoutes(app) {
      app.get(
        "/source.tar.gz",
        {
          config: { policy: "public" },
          schema: {
            tags: ["discovery"],
            summary: "Download the source code of the running program",
          },
        },
        async (_request, reply) => {
          const file = await openArchive();
          const { size } = await file.stat();
          return reply
            .type("application/gzip")
            .header("content-disposition", 'attachment; filename="source.tar.gz"')
            .header("content-length", size)
            .send(file.createReadStream());
        },
      );
    },
  };
}

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Feature } from "#server/http/feature.ts";
import { packSource } from "./source-archive.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

async function readVersion(): Promise<string> {
  const text = await readFile(`${root}package.json`, "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** Serves the page `/source`, the source code link that section 13 of the AGPL requires. */
export function createSourceFeature(): Feature {
  let packed: Promise<Buffer> | undefined;
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
          // Cached, because the files don't change while the program runs, and packing takes a
          // second.
          packed ??= readVersion().then((version) => packSource(root, `kinora-${version}`));
          packed.catch(() => {
            packed = undefined;
          });
          return reply
            .type("application/gzip")
            .header("content-disposition", 'attachment; filename="source.tar.gz"')
            .send(await packed);
        },
      );
    },
  };
}

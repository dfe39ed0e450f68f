import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Feature } from "../../http/feature.ts";
import { packSource } from "./source-archive.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

async function readVersion(): Promise<string> {
  const text = await readFile(`${root}package.json`, "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** The offer of the source code that section 13 of the AGPL asks for. */
export interface SourceOffer {
  /** The page `/source` as HTML. */
  getPage(): Promise<string>;
}

export function createSourceFeature(): Feature & { source: SourceOffer } {
  let packed: Promise<Buffer> | undefined;
  return {
    source: {
      getPage: async () =>
        `<p>This site runs Kinora ${await readVersion()}. Kinora is free software under the GNU Affero General Public License, version 3 or later: you may use, study, share and change it.</p><p><a href="/source.tar.gz" download>Download the source code of this site</a>. The archive has the program, its tests and its documentation, but no content of this site.</p>`,
    },
    registerRoutes(app) {
      app.get(
        "/source.tar.gz",
        {
          config: { policy: "public" },
          schema: { tags: ["discovery"], summary: "The source code of the running program" },
        },
        async (_request, reply) => {
          // The files do not change while the program runs, and packing them takes a second.
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

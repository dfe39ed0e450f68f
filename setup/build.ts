import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { readProcessArguments } from "#server/lib/command-line.mjs";
import { renderNotices } from "./notices.ts";
import { precompress } from "./precompress.ts";
import { archiveSource } from "./source-archive.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");

const syntax = {
  name: "npm run build",
  summary: "Builds the pages for the browser and for the server.",
  options: { stamp: { value: "TEXT", help: "text to write to dist/.stamp" } },
  examples: ["npm run build"],
};

/**
 * Builds the pages for the browser and for the server into `dist`. The output is written beside it
 * and renamed into place, so that an interrupted build leaves the old one intact.
 * `--stamp TEXT` is written to `dist/.stamp`, where the launcher reads what was built.
 */
async function main(stamp: string | undefined): Promise<void> {
  // With an inherited NODE_ENV, parts of React would be built for development.
  process.env["NODE_ENV"] = "production";
  const [fresh, old] = [join(root, "dist.new"), join(root, "dist.old")];
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh);

  const shared = {
    root,
    configFile: join(root, "vite.config.ts"),
    mode: "production",
    logLevel: "warn",
  } as const;
  await build({ ...shared, build: { outDir: join(fresh, "client"), emptyOutDir: true } });
  await build({
    ...shared,
    build: {
      ssr: "src/web/app/entry-server.tsx",
      outDir: join(fresh, "server"),
      emptyOutDir: true,
    },
  });
  await precompress(join(fresh, "client"));
  await writeFile(join(fresh, "THIRD_PARTY_NOTICES"), renderNotices());
  if (stamp !== undefined) await writeFile(join(fresh, ".stamp"), stamp);

  await rm(old, { recursive: true, force: true });
  if (existsSync(dist)) await rename(dist, old);
  await rename(fresh, dist);
  await rm(old, { recursive: true, force: true });
  const problem = archiveSource(root);
  if (problem !== null) console.warn(problem);
}

await main(readProcessArguments(syntax).values["stamp"]);

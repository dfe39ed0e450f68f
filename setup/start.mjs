import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readProcessArguments } from "../src/server/lib/command-line.mjs";
import { ensureMediaTools } from "./install/media-tools.mjs";
import { findNode } from "./install/node-runtime.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { ensureSandboxTools } from "./install/sandbox-tools.mjs";
import { compileCache, root } from "./process/paths.mjs";
import { runServer } from "./process/run-server.mjs";
import { runWatched } from "./process/run-watched.mjs";
import { runMain, say } from "./process/say.mjs";
import { archiveSource } from "./source-archive.mjs";
import { ensureBuild } from "./web-build.mjs";

const serverEnv = JSON.parse(
  readFileSync(new URL("./process/server-env.json", import.meta.url), "utf8"),
);

const args = process.argv.slice(2);
/** npm passes the first option. */
const programs = {
  "--demo": ["npm run demo", "Starts the site and fills an empty one with sample videos."],
  "--dev": ["npm run dev", "Starts the site with hot reload, on this machine only."],
};
const [name, summary] = programs[args[0]] ?? [
  "npm start",
  "Sets up what is missing and starts the site.",
];
const syntax = {
  name,
  summary,
  options: { prepare: { help: "only set up, for services that can't write to this folder" } },
  examples: [name, `PORT=8080 ${name}`],
  notes: ["Environment variables configure the site. See docs/operating/configuring.md."],
};

async function ensureMachineTools() {
  const mediaTools = await ensureMediaTools();
  await ensureSandboxTools();
  return mediaTools;
}

async function ensureProgram(isDev) {
  await ensurePackages({ needsDev: isDev });
  if (isDev) return;
  await ensureBuild();
  const problem = archiveSource(root);
  if (problem !== null) say(problem);
}

/**
 * `npm start`, `npm run demo`, `npm run dev`: sets up what is missing and runs the server. With
 * `--prepare` it stops after the set-up, for services that may not write to this folder.
 */
const { flags } = readProcessArguments(syntax, args.slice(args[0] in programs ? 1 : 0));
await runMain(async () => {
  const isDev = args[0] === "--dev";
  // On a new machine, apt-get takes as long as npm and the build together.
  const [mediaTools] = await Promise.all([ensureMachineTools(), ensureProgram(isDev)]);
  if (flags.has("prepare")) {
    say("Kinora is set up in this folder.");
    return 0;
  }

  const env = {
    // Threads for file reads, compression and password hashes, an allocator that returns their
    // memory to the system, a young generation of 8 MB, and a collection after the start. Together
    // they save 140 MB.
    ...serverEnv,
    ...process.env,
    ...mediaTools,
    ...compileCache,
    NODE_ENV: isDev ? "development" : (process.env.NODE_ENV ?? "production"),
  };
  const entry = args[0] === "--demo" ? "demo/main.ts" : "src/server/main.ts";
  const run = isDev ? runWatched : runServer;
  return await run(findNode(), [join(root, entry)], { cwd: root, env });
});

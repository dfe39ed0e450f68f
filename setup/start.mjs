import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureMediaTools } from "./install/media-tools.mjs";
import { findNode } from "./install/node-runtime.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { ensureSandboxTools } from "./install/sandbox-tools.mjs";
import { compileCache, root } from "./process/paths.mjs";
import { runServer } from "./process/run-server.mjs";
import { runWatched } from "./process/run-watched.mjs";
import { SetupError, runMain, say } from "./process/say.mjs";
import { archiveSource } from "./source-archive.mjs";
import { ensureBuild } from "./web-build.mjs";

const known = ["--demo", "--dev", "--prepare"];
const serverEnv = JSON.parse(
  readFileSync(new URL("./process/server-env.json", import.meta.url), "utf8"),
);

/**
 * `npm start`, `npm run demo`, `npm run dev`: sets up what is missing and runs the server. With
 * `--prepare` it stops after the set-up, for services that may not write to this folder.
 */
await runMain(async () => {
  const flags = process.argv.slice(2);
  const unknown = flags.find((flag) => !known.includes(flag));
  if (unknown !== undefined) {
    throw new SetupError(`Unknown option ${unknown}. There are ${known.join(", ")}.`);
  }
  const isDev = flags.includes("--dev");
  await ensurePackages({ needsDev: isDev });
  const mediaTools = await ensureMediaTools();
  await ensureSandboxTools();
  if (!isDev) {
    await ensureBuild();
    const problem = archiveSource(root);
    if (problem !== null) say(problem);
  }
  if (flags.includes("--prepare")) {
    say("Kinora is set up in this folder.");
    return 0;
  }

  const env = {
    // Threads for file reads, compression and password hashes, an allocator that returns their
    // memory to the system, and a young generation of 8 MB. Together they save 120 MB.
    ...serverEnv,
    ...process.env,
    ...mediaTools,
    ...compileCache,
    NODE_ENV: isDev ? "development" : (process.env.NODE_ENV ?? "production"),
  };
  const entry = flags.includes("--demo") ? "demo/main.ts" : "src/server/main.ts";
  const args = [join(root, entry)];
  const run = isDev ? runWatched : runServer;
  return await run(findNode(), args, { cwd: root, env });
});

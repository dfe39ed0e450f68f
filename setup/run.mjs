import { resolve } from "node:path";
import { ensureMediaTools } from "./install/media-tools.mjs";
import { findNode } from "./install/node-runtime.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { compileCache, root } from "./process/paths.mjs";
import { runServer } from "./process/run-server.mjs";
import { SetupError, runMain } from "./process/say.mjs";
import { ensureBuild } from "./web-build.mjs";

/** `node setup/run.mjs FILE ARGS`: runs one of our TypeScript files after installing packages. */
await runMain(async () => {
  const [file, ...args] = process.argv.slice(2);
  if (file === undefined) throw new SetupError("Name the file to run.");
  // Benches start the whole site.
  const startsSite = file.startsWith("bench/");
  await ensurePackages({ needsDev: startsSite || file.endsWith("/database-types.ts") });
  const needsMediaTools = startsSite || args[0] === "doctor";
  const mediaTools = needsMediaTools ? await ensureMediaTools() : {};
  if (startsSite) await ensureBuild();
  return await runServer(findNode(), [resolve(root, file), ...args], {
    cwd: root,
    env: { ...process.env, ...mediaTools, ...compileCache },
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { readProcessArguments } from "../src/server/lib/command-line.mjs";
import { root } from "./process/paths.mjs";
import { runMain, say } from "./process/say.mjs";

const { flags } = readProcessArguments({
  name: "npm run docs",
  summary: "Builds a web site of all pages of this repository.",
  options: { serve: { help: "serve it afterwards, at the address that is printed" } },
  examples: ["npm run docs", "npm run docs -- --serve"],
});

/** `npm run docs`: VitePress is installed by npx, since only this program needs it. */
async function runVitePress(action) {
  const args = ["--yes", "vitepress@1.6.4", action, "docs"];
  const child = spawn("npx", args, { cwd: root, stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code ?? 1;
}

await runMain(async () => {
  const code = await runVitePress("build");
  if (code !== 0) return code;
  say(`The pages are in ${join(root, "docs/.vitepress/dist")}.`);
  if (flags.has("serve")) return await runVitePress("preview");
  say("They need a web server. To read them here, run npm run docs -- --serve");
  return 0;
});

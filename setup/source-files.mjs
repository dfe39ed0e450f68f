import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const name = "source-files.txt";

/**
 * Lists the files that git tracks, one path per line. Operators edit files in `deploy` in place and
 * write passwords into them. So the lines of these files also contain the git hash, which shows
 * whether a file was edited. Returns null if `root` isn't a git working tree, as in an unpacked
 * archive.
 */
export function listTrackedFiles(root) {
  // A parent folder may be one of the operator's repositories.
  if (!existsSync(join(root, ".git"))) return null;
  let output;
  try {
    output = execFileSync("git", ["-C", root, "ls-files", "--stage", "-z"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch {
    return null;
  }
  const lines = output
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [, hash, path] = /^\d+ ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
      return path.startsWith("deploy/") ? `${path}\t${hash}` : path;
    });
  return `${lines.toSorted().join("\n")}\n`;
}

/**
 * Writes the list of the program's source files into `folder`, where `/source.tar.gz` reads it.
 * Without git, writes the list that is part of the release.
 */
export function writeSourceFiles(root, folder) {
  const shipped = join(root, name);
  const list = listTrackedFiles(root) ?? (existsSync(shipped) ? readFileSync(shipped, "utf8") : "");
  const path = join(folder, name);
  if (existsSync(path) && readFileSync(path, "utf8") === list) return;
  try {
    writeFileSync(path, list);
  } catch (error) {
    // A service may not write to the program's folder, so the list written during set-up stays.
    if (!["EROFS", "EACCES", "EPERM"].includes(error.code)) throw error;
  }
}

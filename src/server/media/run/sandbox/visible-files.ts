import { spawnSync } from "node:child_process";
import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import path from "node:path";

/** Paths that programs and libraries need. Everything else stays invisible. */
const systemPaths = [
  ...["/bin", "/lib", "/lib32", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64"],
  ...["/usr/libexec", "/usr/local/bin", "/usr/local/lib", "/usr/local/lib64", "/nix/store"],
  ...["/etc/ld.so.cache", "/etc/alternatives"],
  // Fonts for captions that become part of the picture.
  ...["/etc/fonts", "/usr/share/fontconfig", "/usr/share/fonts", "/usr/local/share/fonts"],
];

/** Devices that all programs expect. */
export const visibleDevices = ["/dev/null", "/dev/zero", "/dev/urandom"];

export interface SystemFiles {
  /** Folders and files that are visible under their own paths. */
  paths: string[];
  /** Symbolic links, such as `/bin` to `usr/bin`. */
  links: { at: string; to: string }[];
}

export function listSystemFiles(): SystemFiles {
  const files: SystemFiles = { paths: [], links: [] };
  for (const at of systemPaths) {
    const info = lstatSync(at, { throwIfNoEntry: false });
    if (info?.isSymbolicLink() === true) files.links.push({ at, to: readlinkSync(at) });
    else if (info !== undefined) files.paths.push(at);
  }
  return files;
}

export interface ProgramFiles {
  /** Program name inside the sandbox. */
  program: string;
  /** Program and libraries outside the system's folders. */
  files: string[];
}

/** Returns whether programs need this path, or a path below or above it. */
export const isNearSystemPath = (folder: string): boolean =>
  systemPaths.some(
    (each) => `${each}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${each}/`),
  );

const isSystemPath = (file: string): boolean =>
  systemPaths.some((folder) => file.startsWith(`${folder}/`));

const known = new Map<string, ProgramFiles>();

/** Finds the files that a program needs, such as a bundled ffmpeg outside the system's folders. */
export function findProgramFiles(program: string, searchPath: string): ProgramFiles {
  const file = program.includes("/") ? path.resolve(program) : findOnPath(program, searchPath);
  const info = file === null ? null : findStat(file);
  if (file === null || info === null) return { program: file ?? program, files: [] };
  const key = `${file} ${info.ino} ${info.mtimeMs}`;
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const real = realpathSync(file);
  const found = {
    // Some programs, such as BusyBox, depend on the name of the link to them.
    program: isSystemPath(file) && isSystemPath(real) ? file : real,
    files: [real, ...listLibraries(real)].filter((each) => !isSystemPath(each)),
  };
  known.set(key, found);
  return found;
}

export function findOnPath(name: string, searchPath: string): string | null {
  for (const folder of searchPath.split(path.delimiter)) {
    const file = path.join(folder, name);
    if (path.isAbsolute(folder) && findStat(file)?.isFile() === true) return file;
  }
  return null;
}

/** Returns null for a file that is missing or that this user may not see. */
function findStat(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

/** Parses lines such as "libx.so.1 => /opt/ffmpeg/lib/libx.so.1 (0x7f...)". */
function listLibraries(program: string): string[] {
  // Without its libraries, the program would fail on every file, so a busy machine gets more time.
  const { stdout } = spawnSync("ldd", [program], { encoding: "utf8", timeout: 60_000 });
  const libraries = Array.from((stdout ?? "").matchAll(/=> (\/\S+)/g), ([, file = ""]) => file);
  return [...new Set(libraries.flatMap((file) => [file, realpathSync(file)]))];
}

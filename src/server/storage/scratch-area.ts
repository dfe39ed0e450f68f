import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { hasCode } from "#server/lib/app-error.ts";
import { readDiskSpace } from "#server/lib/disk-space.ts";
import { newToken } from "#server/lib/ids.ts";
import { translateDiskError } from "./disk-error.ts";
import type { Scratch } from "./storage.ts";

/** Age at which folders of other machines are removed. Their processes can't be checked. */
const foreignMaxAgeMs = 48 * 3600 * 1000;

/**
 * Creates temporary folders below `root`, one per process. Each is named after the machine, the
 * process id and the start time of the process, so that a sweep can tell leftovers of a crash from
 * work in progress.
 */
export function createScratchArea(root: string) {
  const machine = machineTag();
  const own = path.join(root, `${machine}.${process.pid}.${startTimeOf(process.pid) ?? "0"}`);

  async function isAbandoned(name: string): Promise<boolean> {
    const [tag, pid, started] = name.split(".");
    if (tag === machine && pid !== undefined && started !== undefined && started !== "0") {
      return startTimeOf(Number(pid)) !== started;
    }
    try {
      return Date.now() - (await newestMtimeMs(path.join(root, name))) > foreignMaxAgeMs;
    } catch (error) {
      if (hasCode(error, "ENOENT")) return false;
      throw error;
    }
  }

  return {
    async make(): Promise<Scratch> {
      const folder = path.join(own, newToken(9));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const remove = async (): Promise<void> => {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
      };
      return { path: folder, remove, [Symbol.asyncDispose]: remove };
    },

    /** Returns a path for one temporary file, in an existing folder. */
    async createTempPath(): Promise<string> {
      await mkdir(own, { recursive: true, mode: 0o700 });
      return path.join(own, newToken(9));
    },

    async sweep(): Promise<number> {
      let removed = 0;
      const names = await readdir(root).catch((error: unknown) => {
        if (hasCode(error, "ENOENT")) return [];
        throw error;
      });
      for (const name of names) {
        if (!(await isAbandoned(name))) continue;
        await rm(path.join(root, name), { recursive: true, force: true, maxRetries: 3 });
        removed += 1;
      }
      return removed;
    },

    /** Returns the free bytes of the disk that contains the area. */
    async findFreeBytes(): Promise<number> {
      const { freeBytes } = await readDiskSpace(root).catch((error: unknown) => {
        throw translateDiskError(error);
      });
      return freeBytes;
    },
  };
}

export type ScratchArea = ReturnType<typeof createScratchArea>;

/** Returns the time of the latest change to a folder or an entry directly in it. */
async function newestMtimeMs(folder: string): Promise<number> {
  let newest = (await stat(folder)).mtimeMs;
  for (const entry of await readdir(folder).catch(() => [])) {
    const info = await stat(path.join(folder, entry)).catch(() => null);
    if (info !== null) newest = Math.max(newest, info.mtimeMs);
  }
  return newest;
}

/**
 * Returns a tag for this machine, because process ids are unique only within one boot and one pid
 * namespace.
 */
function machineTag(): string {
  const parts = [hostname()];
  try {
    parts.push(readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
    parts.push(readlinkSync("/proc/self/ns/pid"));
  } catch {
    // Not Linux: only the host name is known.
  }
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
}

/**
 * Returns the clock ticks between boot and the start of a process, or null if the process has ended
 * or is unknown.
 */
function startTimeOf(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name may contain spaces and parentheses, so the fields are counted after its last
    // parenthesis.
    return line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

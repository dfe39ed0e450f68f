import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { writeColorTable } from "../facts/color-table.ts";

/** Lookup tables for colors, as files that media tools can read. */
export type ColorTables = ReturnType<typeof createColorTables>;

/** Creates the tables of a folder. Each is written once a run needs it. */
export function createColorTables(folder: string) {
  const writing = new Map<string, Promise<string>>();

  async function write(name: string): Promise<string> {
    const file = path.join(folder, `${name}.cube`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Other processes may write or read it at the same time.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, writeColorTable(name), { mode: 0o600 });
    await rename(draft, file);
    return file;
  }

  return {
    folder,
    /** Returns the files of the tables that arguments refer to. */
    listIn(args: readonly string[]): Promise<string[]> {
      const graphs = args.filter((arg) => arg.includes("lut3d="));
      const names = graphs.flatMap((graph) =>
        Array.from(graph.matchAll(/\/([\w-]+)\.cube/g), ([, name = ""]) => name),
      );
      return Promise.all(
        [...new Set(names)].map((name) => {
          const file = writing.get(name) ?? write(name);
          writing.set(name, file);
          file.catch(() => writing.delete(name));
          return file;
        }),
      );
    },
  };
}

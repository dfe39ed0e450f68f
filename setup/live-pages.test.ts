import { once } from "node:events";
import { createServer } from "vite";
import { expect, it } from "vitest";
import { root } from "#test/harness/server-process.ts";

it("watches the sources of pages, but not documents and data, whose changes would reload them", async () => {
  const vite = await createServer({ root, configFile: `${root}vite.config.ts`, logLevel: "error" });
  try {
    await once(vite.watcher, "ready");
    const folders = Object.keys(vite.watcher.getWatched());
    expect(folders).toContain(`${root}src/web/app`);
    for (const name of ["docs", "bench", "data"]) {
      expect(folders.filter((folder) => folder.startsWith(`${root}${name}`))).toEqual([]);
    }
  } finally {
    await vite.close();
  }
});

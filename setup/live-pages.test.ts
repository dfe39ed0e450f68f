import { createServer } from "vite";
import { expect, it } from "vitest";
import { root } from "#test/harness/server-process.ts";

const patience = { timeout: 60_000, interval: 100 };

it("watches the sources of pages, but not documents and data, whose changes would reload them", async () => {
  const vite = await createServer({ root, configFile: `${root}vite.config.ts`, logLevel: "error" });
  try {
    const listFolders = () => Object.keys(vite.watcher.getWatched());
    await expect.poll(listFolders, patience).toContain(`${root}src/web/app/styles`);
    // Folders are read in one go, so the others beside `src` are known too.
    for (const name of ["docs", "bench", "data"]) {
      expect(listFolders().filter((folder) => folder.startsWith(`${root}${name}`))).toEqual([]);
    }
  } finally {
    await vite.close();
  }
});

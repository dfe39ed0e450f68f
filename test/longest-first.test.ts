import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { longestFiles } from "./longest-first.ts";

const files = globSync("{src,test,e2e}/**/*.{test.ts,test.tsx,e2e.ts,cluster.ts}", {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
});

test("lists only files that exist", () => {
  for (const name of Object.values(longestFiles).flat()) {
    const found = files.filter((file) => file.endsWith(`/${name}`));
    expect({ name, count: found.length }).toEqual({ name, count: 1 });
  }
});

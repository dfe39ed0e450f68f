import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { findBrokenSourceRules, listImports } from "./source-rules.ts";

const folders: string[] = [];
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true });
});

function createRepository(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "kinora-rules-"));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test("this repository breaks none of its rules", () => {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  expect(findBrokenSourceRules(root)).toEqual([]);
});

test("each broken rule is reported with its file", () => {
  const root = createRepository({
    "src/server/lib/clock.ts": `import { app } from "../http/app.ts";\nexport const x = app;\n`,
    "src/server/http/app.ts": `export const app = 1;\n`,
    "src/web/lib/utils.ts": `export const x = 1;\n`,
    "src/web/lib/long.ts": "\n".repeat(500),
  });
  expect(findBrokenSourceRules(root)).toEqual([
    "src/server/lib/clock.ts imports src/server/http/app.ts: lib may not use http",
    "src/web/lib/long.ts: 501 lines; split files of more than 500",
    "src/web/lib/utils.ts: the name does not say what the file holds",
  ]);
});

test("all forms of import are found", () => {
  const text = `
    import a from "./a.ts";
    import type { B } from "./b.ts";
    import "./c.css";
    export { d } from "./d.ts";
    export * from "./e.ts";
    const lazy = () => import("./f.ts");
    const later = (name: string) => import(name);
    const notAnImport = 'import x from "./g.ts"';
  `;
  const expected = ["./a.ts", "./b.ts", "./c.css", "./d.ts", "./e.ts", "./f.ts"];
  expect(listImports("x.ts", text).toSorted()).toEqual(expected);
});

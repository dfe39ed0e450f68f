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

test("finds no broken rule in this repository", () => {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  expect(findBrokenSourceRules(root)).toEqual([]);
});

test("reports each broken rule with its file", () => {
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

test("finds styles that name a side but accepts listed exceptions", () => {
  const root = createRepository({
    "src/web/card.tsx": `
      <p className="ml-2 md:-mr-4 sm:left-1/2 text-right! rounded-tl-md border-l" />;
      <p className={isOpen ? "pl-[3px]" : "border-r-2"} />;
      <p className="ms-2 me-auto -inset-e-1 inset-y-0 text-start origin-left justify-left-over" />;
      const left = { left: 3 }; // What is left - or right - of it.
    `,
    "src/web/card.css": `
      /* left: 0; */
      .a { left: 0; padding-right : 1px; text-align: right; border-top-left-radius: 2px }
      .b { padding: 1px 2px 3px 4px; margin: 0 calc(1px + (2px)) 0 calc(1px + (2px)); inset: 0 auto 0 0 }
      .c { inset-inline-start: 0; text-align: start; background-position: left; padding: 1px 2px 3px }
    `,
    "src/web/features/player/components/overlay/seek-flash.css": `.a { left: 0; right: 1px }`,
  });
  const sides = findBrokenSourceRules(root).map((line) => line.split(" names ")[0]);
  expect(sides).toEqual([
    'src/web/card.css: "left: 0"',
    'src/web/card.css: "padding-right : 1px"',
    'src/web/card.css: "text-align: right"',
    'src/web/card.css: "border-top-left-radius: 2px"',
    'src/web/card.css: "padding: 1px 2px 3px 4px"',
    'src/web/card.css: "inset: 0 auto 0 0"',
    'src/web/card.tsx: "ml-2"',
    'src/web/card.tsx: "-mr-4"',
    'src/web/card.tsx: "left-1/2"',
    'src/web/card.tsx: "text-right"',
    'src/web/card.tsx: "rounded-tl-md"',
    'src/web/card.tsx: "border-l"',
    'src/web/card.tsx: "pl-[3px]"',
    'src/web/card.tsx: "border-r-2"',
    'src/web/features/player/components/overlay/seek-flash.css: "right: 1px"',
  ]);
});

test("finds all forms of import", () => {
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

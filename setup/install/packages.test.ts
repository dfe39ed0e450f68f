import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { modulesDir, root } from "../process/paths.mjs";
import { machine } from "./node-runtime.mjs";
import { ensurePackages } from "./packages.mjs";

vi.mock("../process/paths.mjs", async () => {
  const { makeFolder } = await import("#test/shared.ts");
  const folder = makeFolder("packages");
  return { root: folder, modulesDir: join(folder, "node_modules") };
});

const stampPath = join(modulesDir, ".kinora-packages");
const runsPath = join(root, "npm-runs");
const countInstalls = () => (existsSync(runsPath) ? readFileSync(runsPath, "utf8").length : 0);
const readStamp = () => readFileSync(stampPath, "utf8").trim().split(" ");

const lock = JSON.stringify({ packages: { "node_modules/one": { version: "1.0.0" } } });
writeFileSync(join(root, "package-lock.json"), lock);
const npm = join(root, "npm.js");
writeFileSync(
  npm,
  `const fs = require("node:fs");
   fs.rmSync("node_modules", { recursive: true, force: true });
   fs.mkdirSync("node_modules/one", { recursive: true });
   fs.copyFileSync("package-lock.json", "node_modules/.package-lock.json");
   fs.appendFileSync("npm-runs", "1");`,
);

beforeEach(async () => {
  vi.stubEnv("npm_execpath", npm);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await ensurePackages();
  writeFileSync(runsPath, "");
});

test("installs nothing while the packages match the lock file", async () => {
  await ensurePackages({ needsDev: true });
  expect(countInstalls()).toBe(0);
});

test.each(["aix-ppc64", `${machine}-musl`])("reinstalls packages built for %s", async (other) => {
  writeFileSync(stampPath, [...readStamp().slice(0, 2), `${other}\n`].join(" "));
  await ensurePackages();
  expect(countInstalls()).toBe(1);
  expect(readStamp()[2]).toBe(machine);
});

test("keeps matching packages installed by an older version", async () => {
  writeFileSync(stampPath, `${readStamp().slice(0, 2).join(" ")}\n`);
  await ensurePackages();
  expect(countInstalls()).toBe(0);
  expect(readStamp()[2]).toBe(machine);
});

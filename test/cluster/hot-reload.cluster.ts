import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeVisitors, openVisitor } from "../../e2e/support/browser.ts";
import { findFreePort, root } from "../harness/server-process.ts";

const copied = ["src", "setup", "package.json", "package-lock.json", "vite.config.ts"];
/** Copy of the sources that the test edits. It uses the packages of the repository. */
let folder: string;
let child: ChildProcess;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(root, ".dev-"));
  for (const name of copied) await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  const env = { DATA_DIR: join(folder, "data"), HOST: "127.0.0.1", PORT: String(port) };
  child = spawn(process.execPath, ["setup/start.mjs", "--dev"], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
});
afterAll(async () => {
  await closeVisitors();
  child.kill();
  await once(child, "exit");
  await rm(folder, { recursive: true, force: true });
});

const readHome = () => fetch(`${url}/home`).then((response) => response.text(), String);

async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
}

const countMarked = 'document.querySelectorAll("section[data-edited]").length';

test("shows an edited component in place, and works again after the server was edited", async () => {
  await expect.poll(readHome, { timeout: 120_000, interval: 500 }).toContain("No videos found");
  // A linked package's font is refused, and the connection is lost while the server restarts.
  const { page } = await openVisitor(url, { expectProblems: /./ });
  await page.goto(`${url}/home`);
  const field = page.getByRole("searchbox", { name: "Filter these videos" });
  await field.fill("kept while typing");
  // Only a hydrated page searches while typing.
  await page.waitForURL("**/home?search=*");
  const component = "src/web/features/home/components/filter-bar.tsx";
  await edit(component, "<section aria-label", "<section data-edited aria-label");
  await expect.poll(() => page.evaluate(countMarked), { timeout: 60_000 }).toBe(1);
  expect(await field.inputValue()).toBe("kept while typing");

  // The page reloads once the server is back. An edit before it is hydrated isn't shown.
  const isConnected = page.waitForEvent("console", {
    predicate: (message) => message.text().includes("[vite] connected"),
    timeout: 120_000,
  });
  await edit("src/server/site/pages.routes.ts", "There is nothing at this address.", "Edited.");
  const readMissing = () => fetch(`${url}/api/missing`).then((response) => response.text(), String);
  await expect.poll(readMissing, { timeout: 120_000, interval: 500 }).toContain("Edited.");
  await isConnected;
  await expect
    .poll(async () => {
      await field.fill("typed after the restart");
      return page.url();
    })
    .toContain("search=typed");
  await edit(component, "<section data-edited", "<section data-edited data-again");
  const countAgain = 'document.querySelectorAll("section[data-again]").length';
  await expect.poll(() => page.evaluate(countAgain), { timeout: 120_000, interval: 500 }).toBe(1);
});

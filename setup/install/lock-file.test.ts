import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withLock } from "./lock-file.mjs";

let dir: string;
let lock: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kinora-lock-"));
  lock = join(dir, "lock");
});
afterEach(() => rmSync(dir, { recursive: true }));

test("holds the lock while the work runs, and releases it afterwards, even after a failure", async () => {
  expect(await withLock(lock, "testing", () => Promise.resolve(existsSync(lock)))).toBe(true);
  expect(existsSync(lock)).toBe(false);
  const failing = withLock(lock, "testing", () => Promise.reject(new Error("broken")));
  await expect(failing).rejects.toThrow("broken");
  expect(existsSync(lock)).toBe(false);
});

test("waits for a live process, and names the file", async () => {
  const holder = new URL("./lock-file.mjs", import.meta.url);
  const script = `
    import { withLock } from ${JSON.stringify(holder)};
    await withLock(${JSON.stringify(lock)}, "testing", () => new Promise((resolve) => setTimeout(resolve, 60_000)));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  await expect.poll(() => existsSync(lock), { timeout: 10_000 }).toBe(true);
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const order: string[] = [];
  const waiting = withLock(lock, "testing", async () => {
    order.push("work");
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  order.push("released");
  child.kill("SIGKILL");
  await waiting;
  expect(order).toEqual(["released", "work"]);
  expect(said.mock.calls.flat()).toEqual([
    `Waiting for another process that is testing… If there is none, delete ${lock}.\n`,
  ]);
  said.mockRestore();
});

test("takes over the lock of a dead process, and an incomplete file", async () => {
  const deadPid = 2 ** 22 + 1;
  writeFileSync(lock, String(deadPid));
  expect(await withLock(lock, "testing", () => Promise.resolve("mine"))).toBe("mine");
  writeFileSync(lock, "");
  utimesSync(lock, new Date(0), new Date(0));
  expect(await withLock(lock, "testing", () => Promise.resolve("mine"))).toBe("mine");
});

// As after a restart of the machine. Without /proc, only the process id is known.
test.runIf(existsSync("/proc/self/stat"))(
  "takes over a lock whose process id now belongs to another process",
  async () => {
    const text = await withLock(lock, "testing", async () => readFileSync(lock, "utf8"));
    writeFileSync(lock, text.replace(/^\d+/, String(process.ppid)));
    expect(await withLock(lock, "testing", () => Promise.resolve("mine"))).toBe("mine");
  },
);

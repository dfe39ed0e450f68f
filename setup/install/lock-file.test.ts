import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
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

test("waits for a live process", async () => {
  writeFileSync(lock, String(process.ppid));
  const order: string[] = [];
  const waiting = withLock(lock, "testing", async () => {
    order.push("work");
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  order.push("released");
  rmSync(lock);
  await waiting;
  expect(order).toEqual(["released", "work"]);
});

test("takes over the lock of a dead process, and an incomplete file", async () => {
  const deadPid = 2 ** 22 + 1;
  writeFileSync(lock, String(deadPid));
  expect(await withLock(lock, "testing", () => Promise.resolve("mine"))).toBe("mine");
  writeFileSync(lock, "");
  utimesSync(lock, new Date(0), new Date(0));
  expect(await withLock(lock, "testing", () => Promise.resolve("mine"))).toBe("mine");
});

import { beforeEach, expect, it, vi } from "vitest";
import { hashPassword, isPasswordCorrect } from "./passwords.ts";

const thread = vi.hoisted(() => ({
  running: 0,
  most: 0,
  begun: [] as string[],
  finish: [] as (() => void)[],
}));

vi.mock("./password-worker.ts", () => ({
  async performInThread({ kind, password }: { kind: string; password: string }) {
    thread.running += 1;
    thread.most = Math.max(thread.most, thread.running);
    thread.begun.push(password);
    await new Promise<void>((resolve) => thread.finish.push(resolve));
    thread.running -= 1;
    return kind === "hash" ? "a hash" : password.startsWith("right");
  },
}));

beforeEach(() => Object.assign(thread, { running: 0, most: 0, begun: [], finish: [] }));

/** Waits until all hashes are done and no new one starts. */
async function finishAll(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const finish = thread.finish.shift();
    if (finish === undefined) return;
    finish();
  }
}

const attempt = (address: number, password = `wrong ${address}`) =>
  isPasswordCorrect("a hash", password, { key: `address ${address}`, isFirst: false });
const statuses = async (calls: Promise<unknown>[]) => {
  const settled = Promise.allSettled(calls);
  await finishAll();
  return (await settled).map(({ status }) => status);
};

it("computes one hash at a time, queues four per address, and responds to further calls with 503 and Retry-After", async () => {
  const calls = Array.from({ length: 40 }, () => attempt(1));
  const results = await statuses(calls);
  await expect(calls[8]).rejects.toMatchObject({ code: "unavailable", retryAfterS: 2 });
  expect(thread.most).toBe(1);
  expect(results.filter((status) => status === "fulfilled")).toHaveLength(5);
});

it("lets sixteen callers wait in total and serves a known browser before them", async () => {
  const calls = Array.from({ length: 40 }, (_, n) => attempt(n));
  const known = isPasswordCorrect("a hash", "right, known", { key: "device", isFirst: true });
  const results = await statuses([...calls, known]);
  expect(results.filter((status) => status === "fulfilled")).toHaveLength(18);
  expect(thread.begun.slice(0, 3)).toEqual(["wrong 0", "right, known", "wrong 1"]);
  expect(await known).toBe(true);
});

it("continues to hash after a burst", async () => {
  const hashed = hashPassword("a password", { key: "one", isFirst: false });
  await finishAll();
  expect(await hashed).toBe("a hash");
});

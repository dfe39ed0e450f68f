import { beforeEach, expect, it, vi } from "vitest";
import { hashPassword, isPasswordRight, maxHashesAtOnce, maxHashesWaiting } from "./passwords.ts";

const argon2 = vi.hoisted(() => ({ running: 0, most: 0, finish: [] as (() => void)[] }));

vi.mock("@node-rs/argon2", () => {
  async function work<T>(result: T): Promise<T> {
    argon2.running += 1;
    argon2.most = Math.max(argon2.most, argon2.running);
    await new Promise<void>((resolve) => argon2.finish.push(resolve));
    argon2.running -= 1;
    return result;
  }
  return { hash: () => work("a hash"), verify: () => work(true) };
});

beforeEach(() => Object.assign(argon2, { running: 0, most: 0, finish: [] }));

/** Ends running hashes until none starts any more. */
async function finishAll(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const finish = argon2.finish.shift();
    if (finish === undefined) return;
    finish();
  }
}

it("hashes two passwords at once, queues sixteen, and refuses the rest with Retry-After", async () => {
  const calls = Array.from({ length: 40 }, (_, index) =>
    index % 2 === 0 ? hashPassword("a password") : isPasswordRight("a hash", "a password"),
  );
  const settled = Promise.allSettled(calls);
  await finishAll();
  const results = await settled;
  expect(argon2.most).toBe(2);
  expect(maxHashesAtOnce + maxHashesWaiting).toBe(18);
  expect(results.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 18 }, () => "fulfilled"),
    ...Array.from({ length: 22 }, () => "rejected"),
  ]);
  expect(results[39]).toMatchObject({ reason: { code: "unavailable", retryAfterS: 2 } });
});

it("hashes again after a burst and after a failed hash", async () => {
  const refused = isPasswordRight(null, "a password");
  await finishAll();
  expect(await refused).toBe(false);
  const again = hashPassword("a password");
  await finishAll();
  expect(await again).toBe("a hash");
});

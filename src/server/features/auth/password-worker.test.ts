import { readdirSync, readFileSync } from "node:fs";
import { hashSync } from "@node-rs/argon2";
import { expect, it } from "vitest";
import { performInThread } from "./password-worker.ts";

/**
 * Returns the nice values of this process's threads: the 19th field of each, after the name in
 * parentheses.
 */
const nicenesses = () =>
  readdirSync("/proc/self/task").map((id) => {
    const text = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[16]);
  });

it("accepts right passwords and rejects wrong ones and those of unknown accounts", async () => {
  const stored = String(await performInThread({ kind: "hash", stored: null, password: "right" }));
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const verify = (hash: string | null, password: string) =>
    performInThread({ kind: "verify", stored: hash, password });
  expect(await verify(stored, "right")).toBe(true);
  expect(await verify(stored, "wrong")).toBe(false);
  expect(await verify(null, "the password of no account")).toBe(false);
});

it("accepts a password in composed and decomposed form", async () => {
  const [composed, decomposed] = ["caf\u00e9 caf\u00e9", "cafe\u0301 cafe\u0301"];
  const verify = (stored: string, password: string) =>
    performInThread({ kind: "verify", stored, password });
  for (const password of [composed, decomposed]) {
    const stored = String(await performInThread({ kind: "hash", stored: null, password }));
    expect(await verify(stored, composed)).toBe(true);
    expect(await verify(stored, decomposed)).toBe(true);
  }
  const hashedAsTyped = hashSync(decomposed, { memoryCost: 8, timeCost: 1 });
  expect(await verify(hashedAsTyped, decomposed)).toBe(true);
  expect(await verify(hashedAsTyped, "cafe cafe")).toBe(false);
});

it("gives each of several tasks its own result", async () => {
  const stored = String(await performInThread({ kind: "hash", stored: null, password: "right" }));
  const passwords = ["right", "wrong", "right", "wrong", "wrong", "right"];
  const results = await Promise.all(
    passwords.map((password) => performInThread({ kind: "verify", stored, password })),
  );
  expect(results).toEqual(passwords.map((password) => password === "right"));
});

it("continues after a failed task", async () => {
  const broken = { kind: "verify", stored: "no hash", password: "x" } as const;
  await expect(performInThread(broken)).rejects.toThrow();
  expect(await performInThread({ kind: "hash", stored: null, password: "x" })).toMatch(
    /^\$argon2id/,
  );
});

it.runIf(process.platform === "linux")("hashes in one low-priority thread", async () => {
  const hash = () => performInThread({ kind: "hash", stored: null, password: "x" });
  const countLow = () => nicenesses().filter((niceness) => niceness === 10).length;
  await hash();
  // Tests in other files that ran in this process may have left such threads, too.
  const before = countLow();
  expect(before).toBeGreaterThan(0);
  await Promise.all(Array.from({ length: 4 }, hash));
  expect(countLow()).toBe(before);
});

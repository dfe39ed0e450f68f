import { expect, it } from "vitest";
import { createSemaphore, type Caller } from "./semaphore.ts";

const options = {
  maxRunning: 1,
  maxWaitingPerKey: 3,
  maxWaiting: 5,
  message: "busy",
  retryAfterS: 2,
};
const from = (key: string, isFirst = false): Caller => ({ key, isFirst });
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a semaphore with tasks that are started and ended one by one. */
function createScene(overrides: Partial<typeof options> = {}) {
  const semaphore = createSemaphore({ ...options, ...overrides });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const start = (caller: Caller, name: string) =>
    semaphore.run(caller, async () => {
      started.push(name);
      await new Promise<void>((end) => ends.push(end));
      return name;
    });
  const endAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await settle();
    }
  };
  return { start, started, endAll };
}

it("serves callers in order and prioritised ones first", async () => {
  const { start, started, endAll } = createScene();
  const tasks = [
    ...["a1", "a2", "a3", "a4"].map((name) => start(from("a"), name)),
    start(from("b"), "b1"),
    start(from("c", true), "c1"),
    start(from("b"), "b2").catch(() => undefined),
  ];
  await settle();
  expect(started).toEqual(["a1"]);
  await endAll();
  await Promise.all(tasks);
  expect(started).toEqual(["a1", "c1", "a2", "a3", "a4", "b1", "b2"]);
});

it("refuses calls beyond the limit per key or in total with Retry-After", async () => {
  const { start, endAll } = createScene();
  const names = ["a1", "a2", "a3", "a4", "a5", "b1", "c1", "d1"];
  const tasks = names.map((name) => start(from(name.slice(0, 1)), name));
  const first = start(from("z", true), "first");
  const settled = Promise.allSettled([...tasks, first]);
  await settle();
  await endAll();
  const results = await settled;
  const refused = [...names, "first"].filter((_, n) => results[n]?.status === "rejected");
  // One runs, three of the same key wait, and five wait in total. Prioritised callers have separate
  // places.
  expect(refused).toEqual(["a5", "d1"]);
  expect(results[4]).toMatchObject({ reason: { code: "unavailable", retryAfterS: 2 } });
});

it("never runs more than its bound and continues after failed tasks", async () => {
  const semaphore = createSemaphore({ ...options, maxRunning: 2 });
  let running = 0;
  let most = 0;
  const fail = () =>
    semaphore.run(from("a"), async () => {
      running += 1;
      most = Math.max(most, running);
      await settle();
      running -= 1;
      throw new Error("failed");
    });
  const results = await Promise.allSettled([fail(), fail(), fail(), fail()]);
  expect(most).toBe(2);
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => "rejected"));
  expect(await semaphore.run(from("b"), async () => "done")).toBe("done");
});

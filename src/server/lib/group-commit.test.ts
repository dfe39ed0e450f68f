import { expect, it } from "vitest";
import { createGroupCommit } from "./group-commit.ts";

/** Creates a writer of numbers. 13 makes its transaction fail, and 500 its connection. */
function createNumbers(options: { keyOf?: (item: number) => string } = {}) {
  const batches: number[][] = [];
  const written: number[] = [];
  const commit = createGroupCommit<number, string>({
    ...options,
    everyMs: 1,
    isItemError: (error) => error instanceof Error && error.message !== "connection lost",
    async write(items) {
      batches.push(items);
      await new Promise((resolve) => setImmediate(resolve));
      if (items.includes(500)) throw new Error("connection lost");
      if (items.includes(13)) throw new Error("13 is refused");
      written.push(...items);
      return items.map((item) => `wrote ${item}`);
    },
  });
  return { commit, batches, written };
}

const outcomes = (results: Promise<string>[]) =>
  Promise.all(results.map((result) => result.catch((error: Error) => error.message)));

it("writes items that arrive during a write in the next batch", async () => {
  const { commit, batches } = createNumbers();
  const results = [1, 2, 3, 4].map((item) => commit.submit(item));
  expect(await outcomes(results)).toEqual(["wrote 1", "wrote 2", "wrote 3", "wrote 4"]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
});

it("never writes items with the same key together, and keeps their order", async () => {
  const { commit, written } = createNumbers({ keyOf: (item) => String(item % 10) });
  await Promise.all([1, 11, 21, 2].map((item) => commit.submit(item)));
  expect(written.filter((item) => item % 10 === 1)).toEqual([1, 11, 21]);
});

it("fails only an item that can't be written, and writes each once", async () => {
  const { commit, written } = createNumbers();
  const items = [1, ...Array.from({ length: 20 }, (_, at) => at + 2)];
  const results = await outcomes(items.map((item) => commit.submit(item)));
  expect(results.filter((text) => text !== "13 is refused")).toHaveLength(items.length - 1);
  expect(results[items.indexOf(13)]).toBe("13 is refused");
  expect(written.toSorted((a, b) => a - b)).toEqual(items.filter((item) => item !== 13));
});

it("doesn't retry a batch that failed as a whole, and writes the next one", async () => {
  const { commit, batches } = createNumbers();
  const first = commit.submit(1);
  const lost = [500, 2].map((item) => commit.submit(item));
  expect(await outcomes([first, ...lost])).toEqual([
    "wrote 1",
    "connection lost",
    "connection lost",
  ]);
  expect(batches).toEqual([[1], [500, 2]]);
  expect(await commit.submit(3)).toBe("wrote 3");
});

it("waits in drain for everything submitted", async () => {
  const { commit, written } = createNumbers();
  for (const item of [1, 2, 3]) void commit.submit(item);
  await commit.drain();
  expect(written).toEqual([1, 2, 3]);
});

import { expect, it } from "vitest";
import { createBatchedRead } from "./batched-read.ts";

/** Creates a source whose reads end on request of the test. */
function createSource() {
  const reads: { keys: string[]; end: (error?: Error) => void }[] = [];
  const read = createBatchedRead<string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
    const end = (error?: Error) =>
      error === undefined ? resolve(new Map(keys.map((key) => [key, `${key}!`]))) : reject(error);
    reads.push({ keys, end });
    return promise;
  });
  return { reads, read };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("reads items requested together in one call, and later ones in the next", async () => {
  const { reads, read } = createSource();
  const first = read(["a"]);
  await Promise.resolve();
  const same = read(["d"]);
  await settled();
  expect(reads.map(({ keys }) => keys)).toEqual([["a", "d"]]);
  const second = read(["b", "c"]);
  const third = read(["a", "c"]);
  await settled();
  expect(reads).toHaveLength(1);
  reads[0]?.end();
  expect((await first).get("a")).toBe("a!");
  expect(await same).toBe(await first);
  await settled();
  expect(reads.map(({ keys }) => keys)).toEqual([
    ["a", "d"],
    ["b", "c", "a"],
  ]);
  reads[1]?.end();
  expect((await second).get("b")).toBe("b!");
  // The value doesn't come from the read that started earlier.
  expect(await third).toBe(await second);
});

it("continues after a failed read", async () => {
  const { reads, read } = createSource();
  const failed = read(["a"]).catch(String);
  await settled();
  const next = read(["b"]);
  reads[0]?.end(new Error("gone"));
  expect(await failed).toBe("Error: gone");
  await settled();
  reads[1]?.end();
  expect((await next).get("b")).toBe("b!");
});

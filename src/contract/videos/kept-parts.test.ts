import { expect, it } from "vitest";
import { composeCuts, createCutMove, cutChapters, findCutProblem, sumOf } from "./kept-parts.ts";

const part = (startS: number, endS: number) => ({ startS, endS });

it.each([
  ["accepts parts in order", [part(0, 2), part(3, 10)], null],
  ["refuses an empty list", [], "Keep at least one part."],
  ["refuses parts out of order", [part(5, 6), part(1, 2)], "Parts must be in order"],
  ["refuses parts that overlap", [part(1, 3), part(2, 4)], "must not overlap"],
  ["refuses parts after the end", [part(1, 11)], "ends after the video"],
  ["refuses parts that are too short", [part(1, 1.05), part(3, 5)], "at least 0.1 s long"],
  ["refuses too little in all", [part(1, 1.5)], "At least 1 s must remain."],
  ["refuses a part that ends before it starts", [part(3, 1)], "at least 0.1 s long"],
  ["refuses the whole video", [part(0, 10)], "Nothing is removed."],
  ["refuses all of it in pieces", [part(0, 4), part(4, 10)], "Nothing is removed."],
  [
    "refuses too many parts",
    Array.from({ length: 51 }, (_, at) => part(at * 0.19, at * 0.19 + 0.1)),
    "Keep at most 50 parts.",
  ],
])("%s", (_, parts, problem) => {
  const found = findCutProblem(parts, 10);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});

it("maps times of the whole video to those of the cut, and back", () => {
  const parts = [part(1, 2), part(5, 8)];
  const cut = createCutMove(null, parts);
  expect([0, 1, 1.5, 2, 3, 5, 6.25, 9].map(cut.toNew)).toEqual([0, 0, 0.5, 1, 1, 1, 2.25, 4]);
  expect([0.5, 1, 3, 7.9, 8].map(cut.isKept)).toEqual([false, true, false, true, false]);
  expect(cut.stretch(1.5, 6)).toEqual(part(0.5, 2));
  expect(cut.stretch(2, 5)).toBeNull();
  const undone = createCutMove(parts, null);
  expect([0, 0.5, 1, 2.25].map(undone.toNew)).toEqual([1, 1.5, 5, 6.25]);
  // A line that ends at the joint ends before what was removed.
  expect(undone.stretch(0.5, 1)).toEqual(part(1.5, 2));
});

it("cuts a cut video again", () => {
  const first = [part(10, 20), part(30, 40)];
  const second = composeCuts(first, [part(5, 12), part(15, 16)]);
  expect(second).toEqual([part(15, 20), part(30, 32), part(35, 36)]);
  expect(sumOf(second)).toBe(8);
  const move = createCutMove(first, second);
  expect([0, 5, 12, 13, 15.5].map(move.toNew)).toEqual([0, 0, 7, 7, 7.5]);
  expect(composeCuts(null, [part(1, 2)])).toEqual([part(1, 2)]);
});

it("starts chapters where their rest does and drops those that are gone", () => {
  const chapters = [0, 10, 20, 30].map((startS) => ({ startS, title: `At ${startS}` }));
  const { kept, dropped } = cutChapters(
    chapters,
    createCutMove(null, [part(5, 10), part(25, 40)]),
    40,
  );
  expect(kept).toEqual([
    { startS: 0, title: "At 0" },
    { startS: 5, title: "At 20" },
    { startS: 10, title: "At 30" },
  ]);
  expect(dropped).toEqual([{ startS: 10, title: "At 10" }]);
});

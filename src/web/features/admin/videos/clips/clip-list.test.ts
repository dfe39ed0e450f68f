import { expect, it } from "vitest";
import { readClipRows, rowProblem } from "./clip-list.ts";

const titleOf = (number: number) => `Clip ${number}`;

it("reads rows of times and titles, and names rows that can't be read", () => {
  const text = [
    "start,end,title",
    "0:05,0:20,Opening",
    '1:02.5; 1:30; "The ""old"" harbor, at night"',
    "",
    "90\t120",
    '"2:00","2:10","Storm, part 2"',
    "soon,later,Nothing",
  ].join("\r\n");
  expect(readClipRows(text, titleOf)).toEqual({
    rows: [
      { startS: 5, endS: 20, title: "Opening" },
      { startS: 62.5, endS: 90, title: 'The "old" harbor, at night' },
      { startS: 90, endS: 120, title: "Clip 3" },
      { startS: 120, endS: 130, title: "Storm, part 2" },
    ],
    wrongRows: [7],
  });
});

it.each([
  ["0:05,40;0:20,10;Harbor", 5.4, 20.1, "Harbor"],
  ["5,4\t20,1\tHarbor, at night", 5.4, 20.1, "Harbor, at night"],
  ['"5,4"; "20,1"', 5.4, 20.1, "Clip 1"],
  ["5,20,Harbor; at night", 5, 20, "Harbor; at night"],
  ["0:05,0:20;Harbor", 5, 20, "Harbor"],
])("reads decimal commas only beside other separators: %j", (text, startS, endS, title) => {
  const rows = [{ startS, endS, title }];
  expect(readClipRows(text, titleOf)).toEqual({ rows, wrongRows: [] });
});

it.each([
  [{ startS: 0, endS: 2, title: "A" }, "A clip must be 3 to 90 seconds long"],
  [{ startS: 50, endS: 61, title: "A" }, "The clip ends after the video"],
  [{ startS: 0, endS: 10, title: " " }, "Enter a title"],
  [{ startS: 0, endS: 10, title: "A" }, null],
])("checks a row: %j", (row, problem) => {
  expect(rowProblem(row, 60)).toBe(problem);
});

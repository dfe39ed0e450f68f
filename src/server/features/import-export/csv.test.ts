import { describe, expect, it } from "vitest";
import { readCsv, readCsvList } from "./read-csv.ts";
import { csvLine, csvList, withoutGuard } from "#server/lib/write-csv.ts";

const read = async (...parts: string[]) => {
  const records = [];
  for await (const record of readCsv(parts)) records.push(record);
  return records;
};
const cellsOf = async (...parts: string[]) => (await read(...parts)).map(({ cells }) => cells);

describe("reading CSV", () => {
  it.each([
    [
      "a,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,b\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,b\rc,d\r",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "\uFEFFa;b\nc,c;d",
      [
        ["a", "b"],
        ["c,c", "d"],
      ],
    ],
    [
      "a\tb\n1\t2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      '"a ""quoted"" one","two\r\nlines"\n,',
      [
        ['a "quoted" one', "two\r\nlines"],
        ["", ""],
      ],
    ],
    ['"a;b;c",d\n"e"', [["a;b;c", "d"], ["e"]]],
    ["a\n\n\nb\n", [["a"], ["b"]]],
    ['a"b,c\n', [['a"b', "c"]]],
    ["", []],
    ['""\n', [[""]]],
  ])("parses %j", async (text, cells) => {
    expect(await cellsOf(text)).toEqual(cells);
    // Passes the same text as single characters.
    expect(await cellsOf(...text)).toEqual(cells);
  });

  it("returns the first line of each record", async () => {
    const records = await read('a\r\n"b\nb"\r\n\r\nc\n');
    expect(records.map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it.each([
    ['a\n"b', /^Line 2: a quotation mark is not closed/],
    ["a\0b", /NUL character/],
    [`${"x,".repeat(200)}\n`, /more than 100 columns/],
    [`"${"x".repeat(1_100_000)}`, /a cell is too long/],
  ])("refuses text that isn't CSV", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});

describe("writing CSV", () => {
  const texts = [
    ...["plain", "a,b", 'say "hi"', "two\r\nlines", " spaced ", "", "ünï 😀 مرحبا"],
    ...["=1+1", "+49", "-1", "@user", "\tx", "＝1", "'=1", "''=1", "'quoted'", "a=1", "it's"],
  ];

  it("reads its own output unchanged and writes no cell that starts a formula", async () => {
    const line = csvLine(texts);
    const [record] = await read(line);
    expect(record?.cells.map(withoutGuard)).toEqual(texts);
    for (const cell of record?.cells ?? []) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝]/);
  });

  it("keeps lists in one cell, even names with commas and quotation marks", () => {
    const names = ["Night", "Rain, heavy", 'The "best"', "semi;colon"];
    expect(readCsvList(csvList(names))).toEqual(names);
    expect(readCsvList("a,b , c,,")).toEqual(["a", "b", "c"]);
    expect(readCsvList("")).toEqual([]);
  });

  it("reads lists that are longer than a record", () => {
    const items = Array.from({ length: 300 }, (_, at) => `part-${at}`);
    expect(readCsvList(items.join(", "))).toEqual(items);
  });

  it("separates the items of a list at line breaks", () => {
    expect(readCsvList("rock,\njazz")).toEqual(["rock", "jazz"]);
    expect(readCsvList('rock\r\n\r\n "a, b"\nsoul\n')).toEqual(["rock", "a, b", "soul"]);
    expect(readCsvList('rock \n "a, b" , \n\n "c"')).toEqual(["rock", "a, b", "c"]);
  });

  // Takes minutes if every line break starts a search for the next item.
  it("reads a list with very many line breaks in time", () => {
    expect(readCsvList(`rock${"\n".repeat(500_000)}jazz`)).toEqual(["rock", "jazz"]);
  });
});

import { describe, expect, it } from "vitest";
import type { ClipFraming } from "#contract/videos/clips.ts";
import { clipOutputSize, writeBurntCaptions } from "./clip.ts";

const crop = (zoom = 1): ClipFraming => ({
  kind: "crop",
  window: { zoom, from: { x: 0.5, y: 0.5 }, move: null },
});

describe("the size of a clip", () => {
  it.each([
    ["a crop of a wide picture", crop(), [1920, 1080], [608, 1080]],
    ["a smaller window", crop(0.5), [1920, 1080], [304, 540]],
    ["a crop of 4K, which is reduced", crop(), [3840, 2160], [1080, 1918]],
    ["a crop of an upright picture", crop(), [1080, 1920], [1080, 1920]],
    ["a crop of a narrow picture", crop(), [300, 1000], [300, 534]],
    ["a blurred background", { kind: "blur" }, [1920, 1080], [1080, 1920]],
    ["a blurred background without enlarging", { kind: "blur" }, [640, 360], [640, 1136]],
    ["odd sides as they are", { kind: "as-is" }, [641, 361], [640, 360]],
  ] as const)("%s", (_, framing, [width, height], expected) => {
    const size = clipOutputSize(framing, { width, height });
    expect([size.width, size.height]).toEqual(expected);
  });
});

describe("captions in the picture", () => {
  const dialogues = (text: string) =>
    writeBurntCaptions(
      [{ startMs: 9000, endMs: 12_500, text, place: "" }],
      { startS: 10, endS: 20 },
      { width: 1080, height: 1920 },
    )
      .split("\n")
      .filter((line) => line.startsWith("Dialogue"));

  it("count from the start of the clip, without what lies outside", () => {
    const lines = [
      { startMs: 1000, endMs: 10_000, text: "before", place: "" },
      { startMs: 9000, endMs: 12_500, text: "at the start", place: "" },
      { startMs: 19_990, endMs: 25_000, text: "at the end", place: "" },
      { startMs: 20_000, endMs: 25_000, text: "after", place: "" },
    ];
    const written = writeBurntCaptions(
      lines,
      { startS: 10, endS: 20 },
      { width: 100, height: 100 },
    );
    expect(written.match(/Dialogue.*/g)).toEqual([
      "Dialogue: 0,0:00:00.00,0:00:02.50,Default,,0,0,0,,at the start",
      "Dialogue: 0,0:00:09.99,0:00:10.00,Default,,0,0,0,,at the end",
    ]);
  });

  it.each([
    ["{\\pos(0,0)}x", String.raw`\{/pos(0,0)\}x`],
    ["<b>bold</b> <c.loud>", String.raw`{\b1}bold{\b0} <c.loud>`],
    ["two\nlines", String.raw`two\Nlines`],
    ["two\r\nlines", String.raw`two\Nlines`],
    ["<ruby>漢字<rt>かんじ</rt></ruby>は", "漢字は"],
  ])("contain no other commands: %j", (text, expected) => {
    expect(dialogues(text)).toEqual([
      `Dialogue: 0,0:00:00.00,0:00:02.50,Default,,0,0,0,,${expected}`,
    ]);
  });

  it("have the direction of their text", () => {
    const written = writeBurntCaptions([], { startS: 0, endS: 1 }, { width: 100, height: 100 });
    expect(/^Style: .*/m.exec(written)?.[0].split(",").at(-1)).toBe("-1");
  });

  it("stay one line of the file for a lone carriage return", () => {
    expect(dialogues("one\rDialogue: 0,two")).toHaveLength(1);
    expect(dialogues("one\rDialogue: 0,two")[0]).not.toContain("\r");
  });
});

import { describe, expect, it } from "vitest";
import type { ClipFraming } from "#contract/videos/clips.ts";
import {
  exampleAbilities,
  exampleFacts,
  exampleScan,
  valueAfter,
} from "../facts/example-facts.fixture.ts";
import {
  clipArgs,
  clipOutputSize,
  planClipBytes,
  planClipLeadS,
  writeBurntCaptions,
} from "./clip.ts";

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

describe("the arguments of a clip", () => {
  const examplePlan = {
    passage: { startS: 15, endS: 25 },
    leadS: 2,
    framing: { kind: "as-is" },
    fps: { num: 30, den: 1 },
    threads: 2,
    abilities: exampleAbilities,
    captions: null,
  } as const;

  it.each([
    ["2 s before a passage", { maxFrameGapS: 0.04 }, "13.000"],
    ["before a pause of 10 s", { maxFrameGapS: 10 }, "5.000"],
    ["at most 3000 frames before a passage", { maxFrameGapS: 14, averageFps: 600 }, "10.000"],
  ])("read from %s", (_, change, expected) => {
    const leadS = planClipLeadS({ ...exampleScan, ...change });
    const args = clipArgs(exampleFacts(), "/in.mp4", { ...examplePlan, leadS }, "/out.mp4");
    expect(valueAfter(args, "-ss")).toBe(expected);
  });

  it.each([
    ["1080p30", { width: 1920, height: 1080 }, 30, 60_000],
    ["2160p60", { width: 3840, height: 2160 }, 60, 240_000],
    ["720p15", { width: 1280, height: 720 }, 15, 13_334],
  ])("limit the rate of %s, and its file", (_, size, rate, kbps) => {
    const fps = { num: rate, den: 1 };
    const facts = exampleFacts({ video: size });
    const args = clipArgs(facts, "/in.mp4", { ...examplePlan, fps }, "/out.mp4");
    expect(valueAfter(args, "-maxrate:v:0")).toBe(`${kbps}k`);
    expect(args[args.lastIndexOf("-bufsize:v:0") + 1]).toBe(`${kbps}k`);
    expect(planClipBytes(size, fps, 90)).toBeGreaterThan(kbps * 125 * 90 * 1.1);
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

  it.each([
    ["rows of Chinese", "今天我们来看看海边的潮水，它每天涨落两次，非常壮观。"],
    ["rows of Thai", "วันนี้เราจะไปดูน้ำขึ้นน้ำลงที่ชายทะเลซึ่งสวยงามมากทุกวัน"],
    ["long words", "wwww.".repeat(8)],
    ["long katakana words", "アイスクリームサンドイッチメーカーコンテスト"],
  ])("break %s before they leave the picture", (_, text) => {
    const [written = ""] = dialogues(text);
    const rows = written.split(",,").at(-1)?.split("\\N") ?? [];
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.join("")).toBe(text);
    for (const row of rows) {
      expect(row.replaceAll(/\p{M}/gu, "").length).toBeLessThanOrEqual(21);
      expect(row).not.toMatch(/^[，。]/);
    }
    expect(
      Math.max(...rows.map((row) => row.replaceAll(/[^\u3000-\uffff]/g, "").length)),
    ).toBeLessThan(13);
  });

  it.each([
    [
      "Latin text, which the renderer breaks at its spaces",
      "A tide comes in twice a day. ".repeat(4).trim(),
    ],
    ["short rows", "潮水 每天涨落两次\n非常壮观"],
  ])("leave %s", (_, text) => {
    expect(dialogues(text)[0]?.split(",,").at(-1)).toBe(text.replace("\n", "\\N"));
  });

  it("break bold text without breaking its tags", () => {
    expect(dialogues("<b>今天我们来看看海边的</b>潮水涨落两次")[0]).toContain(
      String.raw`{\b1}今天我们来看看海边的{\b0}潮水\N涨落`,
    );
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

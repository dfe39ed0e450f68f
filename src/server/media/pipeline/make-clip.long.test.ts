import { mkdtemp, readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClipFraming } from "#contract/videos/clips.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { aac, h264, tone } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { findKnownObstacle } from "../plan/playable.ts";
import { findCaptionsObstacle } from "./make-clip.ts";
import { readPixels, readStreams } from "./read-streams.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const rate = 10;

/**
 * Returns a source of six seconds: red on the left, blue on the right, green between them. From the
 * second second on, a bar at the top left is white.
 */
const sides = () =>
  encodeClip("sides.mp4", [
    "-f",
    "lavfi",
    "-i",
    [
      `color=red:s=128x180:r=${rate}:d=6[l]`,
      `color=lime:s=64x180:r=${rate}:d=6[m]`,
      `color=blue:s=128x180:r=${rate}:d=6[r]`,
      "[l][m][r]hstack=3,drawbox=x=0:y=0:w=128:h=20:color=white:t=fill:enable='gte(t,1.999)'",
    ].join(";"),
    ...[...tone(6), ...h264, "-g", "60", "-bf", "2", ...aac],
  ]);

async function make(
  source: string,
  framing: ClipFraming,
  {
    passage = { startS: 1, endS: 4 },
    captions = null,
    keptParts = null,
  }: {
    passage?: { startS: number; endS: number };
    keptParts?: { startS: number; endS: number }[] | null;
    captions?: { startMs: number; endMs: number; text: string; place: string }[] | null;
  } = {},
) {
  const workDir = await mkdtemp(path.join(at.folder, "clip-"));
  const facts = await at.media.probe(source);
  const made = await at.media.makeClip({
    ...{ sourcePath: source, facts, keptParts, workDir, passage, framing, captions },
  });
  const size = { width: made.width, height: made.height };
  return {
    ...made,
    colorAt: async (x: number, y: number, atS = 0) => {
      const pixel = await readPixels(at.media, made.path, atS, size);
      const [r, g, b] = pixel(Math.floor(x * size.width), Math.floor(y * size.height));
      if (r > 180 && g > 180 && b > 180) return "white";
      return r > 128 ? "red" : g > 128 ? "green" : b > 128 ? "blue" : `${r},${g},${b}`;
    },
  };
}

const crop = (x: number, move: { x: number; startS: number; endS: number } | null = null) =>
  ({
    kind: "crop",
    window: {
      zoom: 1,
      from: { x, y: 0.5 },
      move:
        move === null ? null : { to: { x: move.x, y: 0.5 }, startS: move.startS, endS: move.endS },
    },
  }) as const;

describe("the file of a clip", () => {
  test("shows the window of a crop, and moves it once", async () => {
    const still = await make(await sides(), crop(0));
    expect([still.width, still.height]).toEqual([102, 180]);
    expect(await still.colorAt(0.5, 0.5)).toBe("red");
    const facts = await at.media.probe(still.path);
    expect([still.isPlayable, findKnownObstacle(facts)]).toEqual([true, null]);
    const moved = await make(await sides(), crop(0, { x: 1, startS: 1, endS: 2 }));
    expect(await moved.colorAt(0.5, 0.5, 0.9)).toBe("red");
    expect(await moved.colorAt(0.5, 0.5, 1.5)).toBe("green");
    expect(await moved.colorAt(0.5, 0.5, 2.2)).toBe("blue");
  });

  test("starts and ends at exact frames, with sound of the same length", async () => {
    const early = await make(
      await sides(),
      { kind: "as-is" },
      { passage: { startS: 1.9, endS: 4.9 } },
    );
    expect(await early.colorAt(0.25, 0.05)).not.toBe("white");
    expect(await early.colorAt(0.25, 0.05, 0.05)).toBe("white");
    const { video, audio } = await readStreams(at.media, early.path);
    expect([video.duration, video.nb_frames]).toEqual([3, "30"]);
    expect(Math.abs((audio?.duration ?? 0) - 3)).toBeLessThan(0.05);
    const exact = await make(await sides(), { kind: "as-is" }, { passage: { startS: 2, endS: 5 } });
    expect(await exact.colorAt(0.25, 0.05)).toBe("white");
  });

  test("starts at the exact frame after a timestamp jump", async () => {
    const source = await encodeClip("sides-jump.mkv", [
      ...["-i", await sides(), "-an", "-fps_mode", "vfr", ...h264],
      ...["-vf", "setpts=PTS+gte(T\\,1)*100/TB"],
    ]);
    const made = await make(source, { kind: "as-is" }, { passage: { startS: 1.9, endS: 4.9 } });
    expect(await made.colorAt(0.25, 0.05)).not.toBe("white");
    expect(await made.colorAt(0.25, 0.05, 0.05)).toBe("white");
    expect((await readStreams(at.media, made.path)).video.nb_frames).toBe("30");
  });

  test("takes the passage of what remains of a cut video", async () => {
    const keptParts = [
      { startS: 0, endS: 1 },
      { startS: 1.5, endS: 6 },
    ];
    const passage = { startS: 0.5, endS: 4.5 };
    const made = await make(await sides(), { kind: "as-is" }, { passage, keptParts });
    expect(await made.colorAt(0.25, 0.05, 0.9)).not.toBe("white");
    expect(await made.colorAt(0.25, 0.05, 1)).toBe("white");
    const { video, audio } = await readStreams(at.media, made.path);
    expect([video.duration, video.nb_frames]).toEqual([4, "40"]);
    expect(Math.abs((audio?.duration ?? 0) - 4)).toBeLessThan(0.05);
  });

  test.each(["mp4", "mkv"])("holds a frame that appeared long before: %s", async (extension) => {
    // Ten frames per second first, then a new color every ten seconds.
    const from = (atS: number, color: string) =>
      `drawbox=color=${color}:t=fill:enable='gte(t,${atS})'`;
    const source = await encodeClip(`pauses.${extension}`, [
      ...["-f", "lavfi", "-i"],
      [
        `color=white:s=64x36:r=${rate}:d=40`,
        ...[from(9.99, "red"), from(19.99, "lime"), from(29.99, "blue")],
        "select='lt(t,9.99)+not(mod(n,100))'",
      ].join(","),
      ...[...tone(40), "-fps_mode", "vfr", ...h264, "-g", "60", "-bf", "0", ...aac],
    ]);
    const shown = async (startS: number, endS: number, ...timesS: number[]) => {
      const made = await make(source, { kind: "as-is" }, { passage: { startS, endS } });
      const colors = await Promise.all(timesS.map((atS) => made.colorAt(0.5, 0.5, atS)));
      return [Math.round(made.durationS), ...colors];
    };
    expect(await shown(15, 25, 0, 4.5, 5)).toEqual([10, "red", "red", "green"]);
    expect(await shown(23, 28, 0, 4.5)).toEqual([5, "green", "green"]);
    expect(await shown(8, 13, 0, 1.5, 2, 4.5)).toEqual([5, "white", "white", "red", "red"]);
    // Only the sound continues.
    expect(await shown(34, 39, 0, 4.5)).toEqual([5, "blue", "blue"]);
  });

  test("shows the whole picture on a blurred background", async () => {
    const made = await make(await sides(), { kind: "blur" });
    expect([made.width, made.height]).toEqual([320, 568]);
    expect(await made.colorAt(0.2, 0.5)).toBe("red");
    expect(await made.colorAt(0.8, 0.5)).toBe("blue");
    // The ground shows the middle of the picture, without an edge between its colors.
    const above = await made.colorAt(0.5, 0.1);
    expect(above).not.toBe("0,0,0");
  });

  test("shows a blurred background behind a tiny picture", async () => {
    const source = await encodeClip("tiny.mp4", [
      ...["-f", "lavfi", "-i", `color=red:s=160x120:r=${rate}:d=4`, ...h264],
    ]);
    const made = await make(source, { kind: "blur" });
    expect([made.width, made.height]).toEqual([160, 284]);
    expect(await made.colorAt(0.5, 0.5)).toBe("red");
    expect(await made.colorAt(0.5, 0.1)).not.toBe("0,0,0");
  });

  test("writes captions of the passage into the picture", async () => {
    const line = { startMs: 2000, endMs: 3000, text: "<b>MMMMM</b> {\\pos(0,0)}", place: "" };
    const made = await make(await sides(), crop(0), { captions: [line] });
    const hasText = async (atS: number) => {
      const pixel = await readPixels(at.media, made.path, atS, made);
      for (let y = Math.floor(made.height * 0.6); y < made.height * 0.9; y += 1) {
        for (let x = 0; x < made.width; x += 1) if (pixel(x, y)[1] > 150) return true;
      }
      return false;
    };
    expect([await hasText(0.5), await hasText(1.5), await hasText(2.5)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(made.notices).toEqual([]);
    expect(await at.media.findCaptionsObstacle()).toBeNull();
  });

  test("keeps captions without spaces between the margins", async () => {
    const text = "Donaudampfschifffahrtsgesellschaftskapitaen";
    const line = { startMs: 1000, endMs: 4000, text, place: "" };
    const made = await make(await sides(), crop(0), { captions: [line] });
    const pixel = await readPixels(at.media, made.path, 1, made);
    const half = made.height / 2;
    const lower = Array.from({ length: half }, (_, y) => half + y);
    const hasText = (x: number) => lower.some((y) => pixel(x, y)[1] > 100);
    const columns = Array.from({ length: made.width }, (_, x) => x).filter(hasText);
    expect(columns[0]).toBeGreaterThan(4);
    expect(columns.at(-1)).toBeLessThan(made.width - 5);
  });

  test("finds out in several processes at once whether captions can be written", async () => {
    const trials = Array.from({ length: 3 }, () =>
      findCaptionsObstacle(at.media.pipeline, at.folder),
    );
    expect(await Promise.all(trials)).toEqual([null, null, null]);
    const names = await readdir(at.folder);
    expect(names.filter((name) => name.startsWith("captions-trial"))).toEqual([]);
  });

  test("names characters that no font has", async () => {
    const line = { startMs: 1000, endMs: 3000, text: "\u{1340A}\u{13000}", place: "" };
    const made = await make(await sides(), crop(0), { captions: [line] });
    expect(made.notices).toHaveLength(1);
  });

  test("reduces a high dynamic range like an upload", async () => {
    const source = await encodeClip("hdr-clip.mp4", [
      ...["-f", "lavfi", "-i", "color=white:s=128x72:r=10:d=4,format=yuv420p10le"],
      ...["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"],
      ...["-tag:v", "hvc1", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67"],
      ...["-colorspace", "bt2020nc"],
    ]);
    const facts = await at.media.probe(source);
    expect(facts.video.isHdr).toBe(true);
    const made = await make(source, { kind: "as-is" }, { passage: { startS: 0, endS: 3 } });
    expect(await made.colorAt(0.5, 0.5)).toBe("white");
    const clip = await at.media.probe(made.path);
    expect([clip.video.isHdr, clip.video.bitDepth, clip.video.colorTransfer]).toEqual([
      false,
      8,
      "bt709",
    ]);
  });
});

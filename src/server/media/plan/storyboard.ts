import { vttTime } from "#server/lib/time-codes.ts";
import { segmentS } from "./encode-options.ts";
import { ownInput } from "../facts/input-guards.ts";
import { fitBox } from "#contract/videos/picture-sizes.ts";

export interface StoryboardPlan {
  /** Time between two tiles. */
  intervalS: number;
  tileCount: number;
  tileWidth: number;
  tileHeight: number;
  columns: number;
  rows: number;
  sheetCount: number;
  /** True if only keyframes are decoded. */
  isKeyframesOnly: boolean;
}

const maxColumns = 10;
const maxRows = 10;
const maxTiles = 2000;

/**
 * Plans about a hundred tiles: at least one per 10 s and at most one per second. If the interval is
 * 2 s or more, it is a multiple of the keyframe distance, so that only keyframes are decoded.
 */
export function planStoryboard(
  rendition: { width: number; height: number },
  durationS: number,
): StoryboardPlan {
  const aim = Math.max(Math.min(durationS / 100, 10), durationS / maxTiles);
  const intervalS = durationS <= 20 ? 1 : Math.max(1, Math.ceil(aim / segmentS)) * segmentS;
  // A tile represents its interval. There may be no frame in the last moments of a video.
  const tileCount = Math.max(1, Math.ceil((durationS - 0.25) / intervalS));
  const columns = Math.min(maxColumns, tileCount);
  const rows = Math.min(maxRows, Math.ceil(tileCount / columns));
  const isTall = rendition.height > rendition.width;
  const tile = fitBox(
    rendition.width,
    rendition.height,
    isTall ? { width: 90, height: 160 } : { width: 160, height: 90 },
  );
  return {
    intervalS,
    tileCount,
    tileWidth: tile.width,
    tileHeight: tile.height,
    columns,
    rows,
    sheetCount: Math.ceil(tileCount / (columns * rows)),
    isKeyframesOnly: intervalS >= segmentS,
  };
}

/**
 * Returns arguments that make sheets of tiles from a rendition. `%d` in the pattern starts at 1.
 */
export function storyboardArgs(
  plan: StoryboardPlan,
  renditionPath: string,
  outputPattern: string,
  isWebp: boolean,
): string[] {
  const range = isWebp ? "out_range=tv,format=yuv420p" : "out_range=pc,format=yuvj420p";
  const chain = [
    `select='gte(t,selected_n*${plan.intervalS}-0.1)'`,
    `scale=${plan.tileWidth}:${plan.tileHeight}:flags=fast_bilinear:out_color_matrix=bt601:${range}`,
    `tile=${plan.columns}x${plan.rows}`,
    // Sheets get regular times, because otherwise the image writer would repeat them.
    "setpts=N/25/TB",
  ];
  return [
    ...(plan.isKeyframesOnly ? ["-skip_frame", "nokey"] : []),
    ...ownInput(renditionPath),
    ...["-map", "0:v:0", "-vf", chain.join(","), "-r", "25", "-map_metadata", "-1"],
    ...["-frames:v", String(plan.sheetCount)],
    ...(isWebp ? ["-c:v", "libwebp", "-quality", "65"] : ["-c:v", "mjpeg", "-q:v", "6"]),
    ...["-fflags", "+bitexact", "-f", "image2", "-start_number", "1", `file:${outputPattern}`],
  ];
}

/** Writes WebVTT that maps every moment to a tile (`sheet#xywh=x,y,w,h`). */
export function writeStoryboardVtt(
  plan: StoryboardPlan,
  durationS: number,
  sheetName: (sheet: number) => string,
): string {
  const perSheet = plan.columns * plan.rows;
  const cues = Array.from({ length: plan.tileCount }, (_, i) => {
    const at = i % perSheet;
    const x = (at % plan.columns) * plan.tileWidth;
    const y = Math.floor(at / plan.columns) * plan.tileHeight;
    const isLast = i === plan.tileCount - 1;
    const endS = isLast
      ? Math.max(durationS, i * plan.intervalS + 0.001)
      : (i + 1) * plan.intervalS;
    const name = sheetName(Math.floor(i / perSheet) + 1);
    return [
      `${vttTime(i * plan.intervalS * 1000)} --> ${vttTime(endS * 1000)}`,
      `${name}#xywh=${x},${y},${plan.tileWidth},${plan.tileHeight}`,
      "",
    ].join("\n");
  });
  return `WEBVTT\n\n${cues.join("\n")}`;
}

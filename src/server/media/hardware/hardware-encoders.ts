import { readdirSync, statSync } from "node:fs";
import type { HardwareEncoderName } from "#server/lib/hardware-encoder-names.ts";

type Option = [name: string, value: string];

/** An H.264 encoder of a graphics chip. */
export interface HardwareEncoder {
  name: HardwareEncoderName;
  /** As ffmpeg calls it. */
  codec: string;
  /** Options before the inputs. */
  device: string[];
  /** Filters between a picture in memory and the encoder. */
  upload: string;
  /** Options of a stream in the place of those of libx264, for its rate factor and upper bit rate. */
  options(crf: string, maxrateKbps: number): Option[];
  /** The files by which programs reach it. */
  listDevices(): string[];
}

const renderNode = "/dev/dri/renderD128";
const devicesIn = (folder: string, pattern: RegExp): string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => pattern.test(name))
      .map((name) => `${folder}/${name}`)
      .filter((file) => statSync(file).isCharacterDevice());
  } catch {
    return [];
  }
};
const renderNodes = (): string[] => devicesIn("/dev/dri", /^renderD\d+$/);

export const hardwareEncoders: readonly HardwareEncoder[] = [
  {
    name: "nvenc",
    codec: "h264_nvenc",
    device: [],
    upload: "",
    options: (crf, maxrateKbps) => [
      ...([
        ["preset", "p4"],
        ["rc", "vbr"],
        ["cq", crf],
        ["b", "0"],
      ] satisfies Option[]),
      ...bounded(maxrateKbps),
      ...([
        ["forced-idr", "1"],
        ["no-scenecut", "1"],
      ] satisfies Option[]),
    ],
    listDevices: () => devicesIn("/dev", /^nvidia(\d+|ctl|-uvm|-uvm-tools|-modeset)$/),
  },
  {
    name: "qsv",
    codec: "h264_qsv",
    device: [],
    upload: "format=nv12",
    options: (crf) => [
      ["preset", "medium"],
      ["global_quality", whole(crf)],
      ["forced_idr", "1"],
    ],
    listDevices: renderNodes,
  },
  {
    name: "vaapi",
    codec: "h264_vaapi",
    device: ["-init_hw_device", `vaapi=gpu:${renderNode}`, "-filter_hw_device", "gpu"],
    upload: "format=nv12,hwupload",
    options: (crf) => [
      ["rc_mode", "CQP"],
      ["qp", whole(crf)],
    ],
    listDevices: renderNodes,
  },
  {
    name: "videotoolbox",
    codec: "h264_videotoolbox",
    device: [],
    upload: "",
    // It knows no rate factor on every chip.
    options: (_crf, maxrateKbps) => [
      ["b", `${Math.round(maxrateKbps * 0.7)}k`],
      ...bounded(maxrateKbps),
    ],
    listDevices: () => [],
  },
];

const whole = (crf: string): string => String(Math.round(Number(crf)));

const bounded = (maxrateKbps: number): Option[] => [
  ["maxrate", `${maxrateKbps}k`],
  ["bufsize", `${maxrateKbps * 2}k`],
];

/** Options of libx264 that other encoders do not know, or that it has of its own. */
const ownOptions = new Set([
  "preset",
  "crf",
  "maxrate",
  "bufsize",
  "sc_threshold",
  "threads",
  "refs",
  "bf",
]);
const usualCrf = "23";
const usualMaxrateKbps = 5500;

/**
 * Arguments of ffmpeg that encode with libx264, for another encoder: the same streams in the same
 * files.
 */
export function toHardware(args: readonly string[], encoder: HardwareEncoder): string[] {
  const crfs = new Map<string, string>();
  const maxrates = new Map<string, number>();
  for (const [at, option] of args.entries()) {
    const [, name = "", stream = ""] = /^-(crf|maxrate):(v:\d+)$/.exec(option) ?? [];
    const value = args[at + 1] ?? "";
    if (name === "crf") crfs.set(stream, value);
    if (name === "maxrate") maxrates.set(stream, Number.parseInt(value, 10));
  }
  const made = [...encoder.device];
  for (let at = 0; at < args.length; at += 1) {
    const [option = "", value = ""] = [args[at], args[at + 1]];
    const [, name = "", stream = ""] = /^-(\w+):(v:\d+)$/.exec(option) ?? [];
    if (name === "c" && value === "libx264") {
      const crf = crfs.get(stream) ?? usualCrf;
      const options = encoder.options(crf, maxrates.get(stream) ?? usualMaxrateKbps);
      const all: Option[] = [["c", encoder.codec], ...options];
      made.push(...all.flatMap(([own, wanted]) => [`-${own}:${stream}`, wanted]));
      at += 1;
    } else if (option === "-filter_complex") {
      made.push(option, withUpload(value, encoder.upload));
      at += 1;
    } else if (ownOptions.has(name)) {
      at += 1;
    } else {
      made.push(option);
    }
  }
  return made;
}

/** The outputs of a graph, which are called `[v]` or `[v0]`, go through the filters of an upload. */
function withUpload(graph: string, upload: string): string {
  if (upload === "") return graph;
  const outputs = [...new Set(graph.match(/\[v\d*\]/g))];
  const renamed = graph.replaceAll(/\[v(\d*)\]/g, "[plain$1]");
  return [
    renamed,
    ...outputs.map((output) => `${output.replace("[v", "[plain")}${upload}${output}`),
  ].join(";");
}

import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { encodeClip, keepBytes } from "./clip-cache.ts";
import { addKeySystem, cut, renameBox } from "./mp4-edits.ts";
import { aac, faststart, h264, picture, plain, tone } from "./sample-videos.ts";

export interface RefusedSample {
  title: string;
  code: "unsupported_media" | "unusable_video";
  /** Part of the message. */
  words: string;
  make(): Promise<string>;
}

const unzip = promisify(gunzip);
const bombFile = new URL("fixtures/picture-of-16000x12000.mp4.gz", import.meta.url);
const notVideo = (title: string, words: string, name: string, bytes: string) => ({
  title,
  words,
  code: "unsupported_media" as const,
  make: () => keepBytes(name, bytes),
});
const unusable = (title: string, words: string, make: () => Promise<string>) => ({
  title,
  words,
  code: "unusable_video" as const,
  make,
});

const encrypted = () =>
  encodeClip("encrypted.mp4", [
    ...[...picture("320x180", 1), ...h264, "-encryption_scheme", "cenc-aes-ctr"],
    ...["-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"],
    ...["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8"],
  ]);

/** One file for every reason to refuse an upload, with the message. */
export const refusedSamples: RefusedSample[] = [
  notVideo("zero bytes", "empty", "empty.mp4", ""),
  notVideo("text", "isn.t a video", "text.mp4", "plain text, not a video\n"),
  notVideo(
    "SVG",
    "XML",
    "svg.mp4",
    `<svg xmlns="http://www.w3.org/2000/svg"><image href="x"/></svg>`,
  ),
  notVideo("DASH manifest", "XML", "dash.mp4", `<?xml version="1.0"?><MPD><Period/></MPD>`),
  notVideo("HLS playlist", "playlist", "hls.mp4", "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"),
  notVideo("ffconcat script", "script", "concat.mp4", "ffconcat version 1.0\nfile other.mp4\n"),
  {
    title: "PNG",
    code: "unsupported_media",
    words: "PNG picture",
    make: async () => {
      const png = await encodeClip("png.png", [...picture("320x180", 1), "-frames:v", "1"]);
      return keepBytes("png.mp4", await readFile(png));
    },
  },
  {
    title: "Flash video",
    code: "unsupported_media",
    words: "FLV",
    make: () => encodeClip("flash.flv", [...picture("320x180", 1), "-c:v", "flv"]),
  },
  {
    title: "transport stream",
    code: "unsupported_media",
    words: "TS",
    make: () => encodeClip("stream.ts", [...picture("320x180", 1), ...h264]),
  },
  unusable("sound alone", "sound but no video", () =>
    encodeClip("sound.mp4", [...tone(1), ...aac]),
  ),
  unusable("unsupported codec", "asv1", () =>
    encodeClip("asv1.avi", [...picture("160x120", 1, 10), "-c:v", "asv1"]),
  ),
  unusable("codec without a name", "unknown encoding", async () =>
    renameBox("unnamed-codec.mp4", await plain(), "avc1", "\0\0\0\0"),
  ),
  unusable("encrypted", "encrypted", async () => addKeySystem("key-system.mp4", await encrypted())),
  unusable("encrypted without a key system", "encrypted", encrypted),
  unusable("purchased from iTunes", "encrypted", async () =>
    renameBox("purchased.mp4", await plain(), "avc1", "drmi"),
  ),
  unusable("cut inside its final index", "incomplete", async () => {
    const bytes = await readFile(await plain());
    const indexAt = bytes.lastIndexOf("moov", undefined, "latin1");
    return keepBytes("cut-index.mp4", bytes.subarray(0, indexAt + 200));
  }),
  unusable("no index", "incomplete", async () => cut("no-index.mp4", await plain(), 0.5)),
  unusable("damaged index", "damaged", async () =>
    renameBox("damaged-index.mp4", await faststart(), "mvhd", "\xff\xff\xff\xff"),
  ),
  unusable("nothing that decodes", "can be decoded", async () => {
    const bytes = await readFile(await plain());
    const mediaAt = bytes.indexOf("mdat", 0, "latin1") + 4;
    bytes.fill(0xa5, mediaAt, bytes.indexOf("moov", 0, "latin1") - 4);
    return keepBytes("noise.mp4", bytes);
  }),
  unusable("16000 x 12000 pixels", "16000 x 12000", async () =>
    keepBytes("large.mp4", await unzip(await readFile(bombFile))),
  ),
];

import { readFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import { encodeClip, keepBytes } from "./clip-cache.ts";
import { drawChirp, drawMoving, type GridClip } from "./media-grid.ts";
import { setEdits } from "./mp4-edits.ts";

// Kinds of files that the issue trackers of other video software describe. The comment of a kind
// names the report.

interface MediaKind {
  title: string;
  /** Returns cached files. Don't write to them. */
  make(): Promise<GridClip>;
}

const durationS = 2;
const size = { width: 192, height: 108 };

const picture = (rate = "25", lengthS = durationS): string[] => [
  ...["-f", "lavfi", "-i", drawMoving(size, rate, lengthS)],
];
const sound = (lengthS = durationS, rateHz = 48_000): string[] => [
  ...["-f", "lavfi", "-i", drawChirp(lengthS, rateHz)],
];
const yuv = ["-vf", "scale=out_color_matrix=bt601:out_range=tv,format=yuv420p"];
const x264 = (params = ""): string[] => [
  ...[...yuv, "-c:v", "libx264", "-preset", "ultrafast", "-qp", "12", "-g", "25"],
  ...(params === "" ? [] : ["-x264-params", params]),
];

const reservedColors = "colour_primaries=3:transfer_characteristics=3:matrix_coefficients=3";

/** Encodes picture and sound. */
const encode = (name: string, ...options: string[]): Promise<string> =>
  encodeClip(name, [...picture(), ...sound(), ...options]);

/** Copies a file with bitstream filters or other options. */
const copy = async (name: string, source: Promise<string>, ...options: string[]): Promise<string> =>
  encodeClip(name, ["-i", await source, "-map", "0", "-c", "copy", ...options]);

const plain = (): Promise<string> => encode("kind-plain.mp4", ...x264(), "-c:a", "aac");
const plainMkv = (): Promise<string> => encode("kind-plain.mkv", ...x264(), "-c:a", "aac");

const kinds: { title: string; make(): Promise<string | GridClip> }[] = [
  {
    // immich-app/immich 31715
    title: "H.264 whose colors are reserved values",
    make: () =>
      copy("kind-reserved-colors.mp4", plain(), ...["-bsf:v", `h264_metadata=${reservedColors}`]),
  },
  {
    // immich-app/immich 26799
    title: "HEVC whose colors are reserved values",
    make: () =>
      copy(
        "kind-reserved-hevc.mp4",
        encode(
          "kind-hevc.mp4",
          ...[...yuv, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"],
          ...["-tag:v", "hvc1", "-c:a", "aac"],
        ),
        ...["-bsf:v", `hevc_metadata=${reservedColors}`],
      ),
  },
  {
    // immich-app/immich 30511: spatial sound of iPhones beside AAC
    title: "a default sound of an unknown codec beside AAC",
    async make() {
      const source = await encodeClip("kind-two-sounds.mov", [
        ...[...picture(), ...sound(), ...sound(), "-map", "0", "-map", "1", "-map", "2"],
        ...[...x264(), "-c:a", "aac", "-disposition:a:0", "default", "-disposition:a:1", "0"],
      ]);
      const bytes = await readFile(source);
      const moovAt = bytes.lastIndexOf("moov", undefined, "latin1");
      for (const [name, other] of [
        ["mp4a", "apac"],
        ["esds", "free"],
      ] as const) {
        bytes.write(other, bytes.indexOf(name, moovAt, "latin1"), "latin1");
      }
      return keepBytes("kind-unknown-sound.mov", bytes);
    },
  },
  {
    // mediacms-io/mediacms 1242
    title: "a time code track",
    make: () => encode("kind-timecode.mov", ...x264(), "-c:a", "aac", "-timecode", "10:00:00:00"),
  },
  {
    // immich-app/immich 29973: WhatsApp
    title: "a few frames beside long sound",
    make: () =>
      encodeClip("kind-few-frames.mp4", [
        ...[...picture("10", 0.2), ...sound(3), ...x264(), "-c:a", "aac"],
      ]),
  },
  {
    // jellyfin/jellyfin 12112: mkvmerge stretches sound of another frame rate
    title: "Matroska whose sound is stretched by its times",
    make: () => copy("kind-stretched.mkv", plainMkv(), "-bsf:a", "setts=pts=PTS*1.01:dts=DTS*1.01"),
  },
  {
    // jellyfin/jellyfin 13085
    title: "Matroska whose sound starts late",
    make: () =>
      encodeClip("kind-late-sound.mkv", [
        ...[...picture(), "-itsoffset", "1.2", ...sound(0.8), ...x264(), "-c:a", "flac"],
      ]),
  },
  {
    // HandBrake/HandBrake 7472
    title: "Matroska whose picture starts late",
    make: () =>
      encodeClip("kind-late-picture.mkv", [
        ...["-itsoffset", "0.9", ...picture("25", 1.1), ...sound(), ...x264(), "-c:a", "aac"],
      ]),
  },
  {
    // video-dev/hls.js 6407: cameras of broadcasters
    title: "open groups of pictures, which start without an IDR picture",
    make: () =>
      encode(
        "kind-open-gop.mp4",
        ...x264("open-gop=1:keyint=12:bframes=3:scenecut=0"),
        "-c:a",
        "aac",
      ),
  },
  {
    // video-dev/hls.js 6407: recorders with intra refresh
    title: "intra refresh without any IDR picture but the first",
    make: () =>
      encode("kind-intra-refresh.mp4", ...x264("intra-refresh=1:keyint=12"), "-c:a", "aac"),
  },
  {
    // w3c/mediacapture-record 119: what browsers record
    title: "WebM of a browser, without a length and with late times",
    make: () =>
      encode(
        "kind-recorded.webm",
        ...[...yuv, "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "3M"],
        ...["-c:a", "libopus", "-output_ts_offset", "12", "-live", "1"],
      ),
  },
  {
    title: "monochrome H.264",
    make: () =>
      encode(
        "kind-gray.mp4",
        ...["-vf", "format=gray", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "12"],
        ...["-c:a", "aac"],
      ),
  },
  {
    title: "QuickTime animation with 15-bit colors",
    make: () =>
      encode("kind-animation.mov", "-c:v", "qtrle", "-pix_fmt", "rgb555be", "-c:a", "pcm_s16be"),
  },
  {
    title: "raw pictures from bottom to top in AVI",
    make: () =>
      encode("kind-raw.avi", "-c:v", "rawvideo", "-pix_fmt", "bgr24", "-c:a", "pcm_s16le"),
  },
  {
    title: "photos with telephone sound in AVI",
    make: () =>
      encode(
        "kind-telephone.avi",
        ...["-c:v", "mjpeg", "-q:v", "3", "-c:a", "pcm_mulaw", "-ar", "8000", "-ac", "1"],
      ),
  },
  {
    title: "sound of 96 kHz and 24 bits",
    make: () =>
      encodeClip("kind-96-khz.mov", [
        ...[...picture(), ...sound(durationS, 96_000), ...x264(), "-c:a", "pcm_s24le"],
      ]),
  },
  {
    // video-dev/hls.js 412: recorders that skip silence
    title: "sound with a gap",
    make: () => copy("kind-gap.mp4", plain(), "-bsf:a", String.raw`noise=drop=between(n\,30\,62)`),
  },
  {
    title: "MP3 that changes its sample rate",
    async make() {
      const part = (rateHz: number) =>
        encodeClip(`kind-${rateHz}.mp3`, [
          ...[...sound(1, rateHz), "-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0"],
        ]);
      const parts = [await readFile(await part(44_100)), await readFile(await part(48_000))];
      const joined = await keepBytes("kind-two-rates.mp3", Buffer.concat(parts));
      return encodeClip("kind-two-rates.mkv", [
        ...[...picture(), "-i", joined, ...x264(), "-c:a", "copy"],
      ]);
    },
  },
  {
    title: "a compressed index with an edit list",
    async make() {
      const file = await encode("kind-cuttable.mov", ...x264(), "-c:a", "aac");
      const parts = [{ fromS: 0.6, lengthS: 1 }];
      const cut = await setEdits("kind-cut.mov", file, () => parts);
      return { file: await compressIndex("kind-compressed.mov", cut), edited: { file, parts } };
    },
  },
  {
    title: "media data of unknown size at the end",
    async make() {
      const source = await copy("kind-faststart.mp4", plain(), "-movflags", "+faststart");
      const bytes = await readFile(source);
      bytes.writeUInt32BE(0, bytes.indexOf("mdat", 0, "latin1") - 4);
      return keepBytes("kind-endless.mp4", bytes);
    },
  },
  {
    // Segments of live streams that downloaders join
    title: "fragments that start at 30 s",
    make: () =>
      copy(
        "kind-fragments-at-30.mp4",
        plain(),
        ...["-output_ts_offset", "30", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
      ),
  },
  {
    title: "Matroska that starts at 10 s",
    make: () => copy("kind-at-10.mkv", plainMkv(), "-output_ts_offset", "10"),
  },
  {
    title: "frames with the same time",
    make: () =>
      copy(
        "kind-same-times.mkv",
        encode("kind-no-b.mkv", ...x264("bframes=0"), "-c:a", "aac"),
        ...[
          "-bsf:v",
          String.raw`setts=pts=if(eq(mod(N\,5)\,1)\,PREV_OUTPTS\,PTS):dts=if(eq(mod(N\,5)\,1)\,PREV_OUTPTS\,PTS)`,
        ],
      ),
  },
  {
    title: "MPEG-4 with B-frames in AVI",
    make: () =>
      encode(
        "kind-b-frames.avi",
        ...yuv,
        "-c:v",
        "mpeg4",
        "-q:v",
        "2",
        "-bf",
        "2",
        "-c:a",
        "libmp3lame",
      ),
  },
  {
    title: "AVI with dropped frames",
    make: () =>
      encode(
        "kind-dropped.avi",
        ...["-vf", String.raw`select='not(between(n\,10\,20))',format=yuv420p`, "-fps_mode", "vfr"],
        ...["-c:v", "mpeg4", "-q:v", "2", "-c:a", "pcm_s16le"],
      ),
  },
  {
    title: "240 frames per second",
    make: () =>
      encodeClip("kind-240.mp4", [...picture("240", 1), ...sound(1), ...x264(), "-c:a", "aac"]),
  },
  {
    title: "parameter sets in the stream",
    make: () =>
      copy("kind-in-band.mp4", plain(), "-bsf:v", "h264_mp4toannexb,dump_extra", "-tag:v", "avc3"),
  },
  {
    title: "surround of seven channels in Opus",
    make: () =>
      encode(
        "kind-seven.mkv",
        ...[...x264(), "-af", "pan=7.1|FL=c0|FR=c1|FC=c0|BL=c1|BR=c0|SL=c0|SR=c1"],
        ...["-c:a", "libopus", "-mapping_family", "1"],
      ),
  },
];

export const mediaKinds: MediaKind[] = kinds.map(({ title, make }) => ({
  title,
  async make() {
    const made = await make();
    return typeof made === "string" ? { file: made, edited: null } : made;
  },
}));

export function findKind(title: string): MediaKind {
  const kind = mediaKinds.find((each) => each.title === title);
  if (kind === undefined) throw new Error(`no kind of file is called "${title}"`);
  return kind;
}

/** Compresses the index, which must be the last box (QuickTime File Format, compressed movies). */
async function compressIndex(name: string, source: string): Promise<string> {
  const bytes = await readFile(source);
  const at = bytes.lastIndexOf("moov", undefined, "latin1") - 4;
  const index = bytes.subarray(at);
  const box = (type: string, ...content: Buffer[]): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + content.reduce((sum, each) => sum + each.length, 0));
    head.write(type, 4, "latin1");
    return Buffer.concat([head, ...content]);
  };
  const length = Buffer.alloc(4);
  length.writeUInt32BE(index.length);
  const compressed = box(
    "cmov",
    box("dcom", Buffer.from("zlib")),
    box("cmvd", length, deflateSync(index)),
  );
  return keepBytes(name, Buffer.concat([bytes.subarray(0, at), box("moov", compressed)]));
}

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { thumbnailFileNames } from "#contract/videos/thumbnail-files.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { refusedSamples } from "#test/refused-samples.ts";
import { sampleVideos } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "./media.fixture.ts";
import { readPixels, readStreams } from "./pipeline/read-streams.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const encodePicture = (name: string, size: string, extra: string[] = []) =>
  encodeClip(name, ["-f", "lavfi", "-i", `testsrc2=s=${size}`, "-frames:v", "1", ...extra]);
/** Makes a thumbnail and returns its main file. */
const make = async (file: string) => (await at.media.makeThumbnail(file, at.folder))[0];

test.each([
  ["a.jpg", "1600x900", [], "640x360"],
  ["a.png", "900x1600", [], "360x640"],
  ["a.webp", "320x180", ["-c:v", "libwebp"], "320x180"],
  ["transparent.png", "801x401", ["-vf", "format=rgba"], "640x320"],
])("converts %s of %s to a thumbnail", async (name, size, extra, expected) => {
  const source = await encodePicture(name, size, extra);
  const made = await make(source);
  expect(`${made.width}x${made.height}`).toBe(expected);
  const fileName = `w${made.width}.webp`;
  expect(made).toMatchObject({ role: "thumbnail", name: fileName });
  const bytes = await readFile(made.path);
  expect(bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12)).toBe("RIFFWEBP");
});

test("makes square artwork for podcasts from the middle of a picture", async () => {
  const artwork = await at.media.makeArtwork(
    await encodePicture("wide.png", "640x360"),
    at.folder,
    new AbortController().signal,
  );
  const bytes = await readFile(artwork);
  // SOF0: height and width follow the marker, the length and the precision.
  const frame = bytes.indexOf(Buffer.from("ffc0", "hex"));
  expect([bytes.readUInt16BE(frame + 5), bytes.readUInt16BE(frame + 7)]).toEqual([1400, 1400]);
});

test("makes a thumbnail in two sizes of WebP and AVIF that look the same", async () => {
  const size = { width: 8, height: 8 };
  const files = await at.media.makeThumbnail(await encodePicture("b.png", "900x1600"), at.folder);
  const main = await readPixels(at.media, files[0].path, 0, size);
  for (const file of files) {
    const pixels = await readPixels(at.media, file.path, 0, size);
    for (let place = 0; place < 64; place += 1) {
      const [x, y] = [place % 8, Math.floor(place / 8)];
      for (const [channel, value] of pixels(x, y).entries()) {
        expect(Math.abs(value - (main(x, y)[channel] ?? 0))).toBeLessThan(12);
      }
    }
  }
  const described = files.map((file) => `${file.name} ${file.width}x${file.height} ${file.role}`);
  expect(described).toEqual([
    "w360.webp 360x640 thumbnail",
    "w226.webp 226x402 thumbnail_variant",
    "w360.avif 360x640 thumbnail_variant",
    "w226.avif 226x402 thumbnail_variant",
  ]);
  expect(files.map((file) => path.basename(file.path)).toSorted()).toEqual(
    thumbnailFileNames("v/w360.webp")
      .map((key) => path.basename(key))
      .toSorted(),
  );
});

test("makes a JPEG poster from a picture", async () => {
  const poster = await at.media.makePoster(await encodePicture("b.png", "900x1600"), at.folder);
  expect(poster).toMatchObject({ role: "poster", name: "poster.jpg", width: 540, height: 960 });
  const bytes = await readFile(poster.path);
  expect(bytes.toString("hex", 0, 3)).toBe("ffd8ff");
});

test("makes transparent parts of a picture black", async () => {
  const half = (color: string) => ["-f", "lavfi", "-i", `color=${color}:s=160x160,format=rgba`];
  const source = await encodeClip("half-transparent.png", [
    ...[...half("red@0"), ...half("red"), "-filter_complex", "[0][1]hstack", "-frames:v", "1"],
  ]);
  const files = await at.media.makeThumbnail(source, at.folder);
  expect(files).toHaveLength(4);
  for (const file of files) {
    const pixels = await readPixels(at.media, file.path, 0, { width: 4, height: 4 });
    expect(Math.max(...pixels(0, 2))).toBeLessThan(20);
    expect(pixels(3, 2)[0]).toBeGreaterThan(200);
  }
});

test.each(["2x2", "16x16", "17x9", "640x2"])("accepts the smallest pictures: %s", async (size) => {
  const files = await at.media.makeThumbnail(await encodePicture("c.png", size), at.folder);
  expect(files).toHaveLength(4);
  for (const file of files) expect(file.sizeBytes).toBeGreaterThan(0);
});

/** Adds a chunk to a PNG, after the first one (IHDR). */
function addPngChunk(png: Buffer, name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(name, 4, "latin1");
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])));
  return Buffer.concat([png.subarray(0, 33), head, data, tail, png.subarray(33)]);
}

test("refuses pictures that are too narrow, and compressed texts before they are expanded", async () => {
  const narrow = await encodePicture("narrow.png", "16x6000");
  await expect(make(narrow)).rejects.toMatchObject({
    code: "invalid",
    message: "The picture is too narrow: 16 x 6000 pixels.",
  });
  const plain = await readFile(await encodePicture("a.png", "900x1600"));
  const text = deflateSync(Buffer.alloc(300 * 1024 * 1024, "a"));
  const data = Buffer.concat([Buffer.from("Comment\0\0", "latin1"), text]);
  const bomb = path.join(at.folder, "bomb.png");
  await writeFile(bomb, addPngChunk(plain, "zTXt", data));
  await expect(make(bomb)).rejects.toMatchObject({
    message: "The picture contains too much text. Save it again without metadata.",
  });
});

/** Builds an Exif segment with the orientation and a position in the north. */
function exif(orientation: number): Buffer {
  const tiff = Buffer.alloc(56);
  tiff.write("MM\0*", 0, "latin1");
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  const writeEntry = (at: number, tag: number, type: number) => {
    tiff.writeUInt16BE(tag, at);
    tiff.writeUInt16BE(type, at + 2);
    tiff.writeUInt32BE(type === 2 ? 2 : 1, at + 4);
  };
  writeEntry(10, 0x0112, 3);
  tiff.writeUInt16BE(orientation, 18);
  writeEntry(22, 0x8825, 4);
  tiff.writeUInt32BE(38, 30);
  tiff.writeUInt16BE(1, 38);
  writeEntry(40, 0x0001, 2);
  tiff.write("N\0", 48, "latin1");
  const body = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe1, 0);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** Makes a photo that is red on the left and blue on the right, with Exif data. */
async function makePhoto(orientation: number): Promise<string> {
  const plain = await encodeClip("sides.jpg", [
    ...["-f", "lavfi", "-i", "color=red:s=160x160", "-f", "lavfi", "-i", "color=blue:s=160x160"],
    ...["-filter_complex", "[0][1]hstack", "-frames:v", "1"],
  ]);
  const bytes = await readFile(plain);
  const photo = path.join(at.folder, `photo-${orientation}.jpg`);
  const parts = [bytes.subarray(0, 2), exif(orientation), bytes.subarray(2)];
  await writeFile(photo, Buffer.concat(parts));
  return photo;
}

test("writes no Exif data into any picture", async () => {
  const photo = await makePhoto(6);
  const thumbnails = await at.media.makeThumbnail(photo, at.folder);
  const icon = await at.media.makeIcon(photo, at.folder);
  const artwork = await at.media.makeArtwork(photo, at.folder, new AbortController().signal);
  for (const file of [photo, icon.path, artwork, ...thumbnails.map((each) => each.path)]) {
    expect([file, /eXIf|Exif|EXIF/.test(await readFile(file, "latin1"))]).toEqual([
      file,
      file === photo,
    ]);
  }
});

test.each([
  [1, "320x160", "left"],
  [3, "320x160", "right"],
  [6, "160x320", "top"],
  [8, "160x320", "bottom"],
])("turns a photo with Exif orientation %i upright", async (value, size, redSide) => {
  const made = await make(await makePhoto(value));
  expect(`${made.width}x${made.height}`).toBe(size);
  const pixels = await readPixels(at.media, made.path, 0, { width: 4, height: 4 });
  const corners = { left: [0, 2], right: [3, 2], top: [2, 0], bottom: [2, 3] } as const;
  const [x, y] = corners[redSide as keyof typeof corners];
  const [red, , blue] = pixels(x, y);
  expect(red).toBeGreaterThan(150);
  expect(blue).toBeLessThan(100);
});

/** Adds Exif data with orientation 6 and a position to a WebP that has transparent parts. */
function addWebpExif(webp: Buffer): Buffer {
  const data = exif(6).subarray(10);
  const head = Buffer.alloc(8);
  head.write("EXIF", "latin1");
  head.writeUInt32LE(data.length, 4);
  const bytes = Buffer.concat([webp, head, data]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.writeUInt8(bytes.readUInt8(20) | 8, 20);
  return bytes;
}

/** Encodes a picture that is half transparent, red on the left and blue on the right. */
const encodeGlass = async (name: string) => {
  const half = (color: string) => ["-f", "lavfi", "-i", `color=${color}@0.5:s=160x160,format=rgba`];
  return readFile(
    await encodeClip(name, [
      ...[...half("red"), ...half("blue"), "-filter_complex", "[0][1]hstack", "-frames:v", "1"],
    ]),
  );
};

test.each([
  ["jpg", "yuvj420p", async () => readFile(await makePhoto(6))],
  [
    "png",
    "rgba",
    async () => addPngChunk(await encodeGlass("glass.png"), "eXIf", exif(6).subarray(10)),
  ],
  ["webp", "yuva420p", async () => addWebpExif(await encodeGlass("glass.webp"))],
])(
  "removes Exif data from a %s, turns it upright and preserves size and transparency",
  async (type, pixelFormat, make) => {
    const source = path.join(at.folder, `exif.${type}`);
    await writeFile(source, await make());
    const made = await at.media.cleanPicture(source, at.folder);
    expect(made.extension).toBe(`.${type}`);
    expect(await readFile(made.path, "latin1")).not.toMatch(/exif/i);
    const { video } = await readStreams(at.media, made.path);
    expect(`${video.width}x${video.height} ${video.pix_fmt}`).toBe(`160x320 ${pixelFormat}`);
    const pixels = await readPixels(at.media, made.path, 0, { width: 4, height: 4 });
    expect(pixels(2, 0)[0]).toBeGreaterThan(200);
    expect(pixels(2, 3)[0]).toBeLessThan(50);
  },
);

test("removes XMP from a PNG without changing its pixels", async () => {
  const plain = await encodePicture("a.png", "900x1600");
  const source = path.join(at.folder, "xmp.png");
  const xmp = Buffer.from("XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta/>", "latin1");
  await writeFile(source, addPngChunk(await readFile(plain), "iTXt", xmp));
  const made = await at.media.cleanPicture(source, at.folder);
  expect(await readFile(made.path, "latin1")).not.toContain("xmp");
  const size = { width: 900, height: 1600 };
  const before = await readPixels(at.media, plain, 0, size);
  const after = await readPixels(at.media, made.path, 0, size);
  for (let at = 0; at < 900; at += 1) expect(after(at, at)).toEqual(before(at, at));
});

test("removes Exif data from a lossless WebP without changing its pixels", async () => {
  const plain = await encodeClip("lossless.webp", [
    ...["-f", "lavfi", "-i", "testsrc2=s=64x64,format=bgra", "-frames:v", "1", "-lossless", "1"],
  ]);
  const source = path.join(at.folder, "lossless.webp");
  const head = Buffer.from("EXIF\0\0\0\0", "latin1");
  await writeFile(source, Buffer.concat([await readFile(plain), head]));
  const made = await at.media.cleanPicture(source, at.folder);
  expect(await readFile(made.path, "latin1")).not.toContain("EXIF");
  const size = { width: 64, height: 64 };
  const before = await readPixels(at.media, plain, 0, size);
  const after = await readPixels(at.media, made.path, 0, size);
  for (let at = 0; at < 64; at += 1) expect(after(at, 7)).toEqual(before(at, 7));
});

test("refuses an animated PNG with metadata, because only one picture would be left", async () => {
  const source = path.join(at.folder, "animated.png");
  const plain = await readFile(await encodePicture("a.png", "900x1600"));
  const animated = addPngChunk(plain, "acTL", Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]));
  await writeFile(source, addPngChunk(animated, "eXIf", exif(6).subarray(10)));
  await expect(at.media.cleanPicture(source, at.folder)).rejects.toMatchObject({
    code: "unsupported_media",
  });
});

test.each(["a.jpg", "a.png", "a.webp"])(
  "doesn't encode %s again without metadata",
  async (name) => {
    const source = await encodePicture(name, "320x180");
    expect(await at.media.cleanPicture(source, at.folder)).toEqual({
      path: source,
      extension: path.extname(name),
    });
  },
);

test("refuses bytes other than JPEG, PNG and WebP", async () => {
  const file = path.join(at.folder, "photo.jpg");
  for (const text of ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89a", "#EXTM3U\n"]) {
    await writeFile(file, text);
    await expect(make(file)).rejects.toMatchObject({ code: "unsupported_media" });
  }
});

test("refuses a damaged or oversized picture with a message", async () => {
  const png = await encodePicture("whole.png", "320x180");
  const bytes = await readFile(png);
  const cut = path.join(at.folder, "cut.png");
  await writeFile(cut, bytes.subarray(0, 40));
  await expect(make(cut)).rejects.toMatchObject({
    code: "invalid",
    issues: [{ path: "thumbnail", message: expect.stringContaining("damaged") }],
  });
  const huge = path.join(at.folder, "huge.png");
  const header = Buffer.from(bytes);
  header.writeUInt32BE(60_000, 16);
  header.writeUInt32BE(60_000, 20);
  await writeFile(huge, header);
  await expect(make(huge)).rejects.toMatchObject({ code: "invalid" });
});

test("refuses files that aren't pictures with a message", async () => {
  const samples = refusedSamples.filter(({ title }) => /zero bytes|HLS|script/.test(title));
  for (const sample of [...samples, sampleVideos.plain]) {
    await expect(make(await sample.make())).rejects.toMatchObject({
      code: expect.stringMatching(/^(invalid|unsupported_media)$/),
      message: expect.stringMatching(/image/i),
    });
  }
});

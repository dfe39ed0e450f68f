import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { encodeClip } from "#test/clip-cache.ts";
import { h264, picture } from "#test/sample-videos.ts";
import type { ActorsFrom, SourceFormat } from "#contract/videos/site-imports.ts";
import { makeFolder } from "#test/shared.ts";
import { openSource } from "./read-source.ts";
import { isRefused } from "./source-item.ts";

export type FileContents = Record<string, string | Uint8Array>;

export async function writeTree(folder: string, files: FileContents): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Returns a zip archive. `links` are entries with the type of a link. */
export function zipOf(
  files: FileContents,
  { links = [] as string[], isCompressed = false } = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const plain = Buffer.from(content);
    const data = isCompressed ? deflateRawSync(plain) : plain;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(isCompressed ? 8 : 0, 4);
    fields.writeUInt32LE(crc32(plain), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(plain.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, name, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((links.includes(path) ? 0o120777 : 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), madeBy, fields, rest, name]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  if (directory.length < 0xffff) {
    end.writeUInt16LE(directory.length, 8);
    end.writeUInt16LE(directory.length, 10);
    return Buffer.concat([...parts, central, end]);
  }
  // Too many entries for 16 bits: their number is in the record of 64 bits.
  end.fill(0xff, 8, 12);
  const end64 = Buffer.alloc(56);
  end64.write("PK\u0006\u0006", 0, "latin1");
  for (const at of [24, 32]) end64.writeBigUInt64LE(BigInt(directory.length), at);
  end64.writeBigUInt64LE(BigInt(central.length), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\u0006\u0007", 0, "latin1");
  locator.writeBigUInt64LE(BigInt(offset + central.length), 8);
  return Buffer.concat([...parts, central, end64, locator, end]);
}

/**
 * Writes an archive with the fields of 64 bits (APPNOTE.TXT, 4.3.14). Its one file begins at this
 * position, which leaves a hole before it that takes no space.
 * @param about.sizeBytes size in its directory, if it isn't the true one.
 */
export async function writeZip64(
  path: string,
  about: { name: string; content: string; offset: number; sizeBytes?: number },
): Promise<void> {
  const [name, content] = [Buffer.from(about.name), Buffer.from(about.content)];
  const wide = (...numbers: number[]) => {
    const buffer = Buffer.alloc(8 * numbers.length);
    for (const [at, number] of numbers.entries()) buffer.writeBigUInt64LE(BigInt(number), at * 8);
    return buffer;
  };
  const local = Buffer.alloc(30);
  local.write("PK\u0003\u0004", 0, "latin1");
  local.writeUInt16LE(name.length, 26);
  const sizeBytes = about.sizeBytes ?? content.length;
  const extra = Buffer.concat([
    Buffer.from([1, 0, 24, 0]),
    wide(sizeBytes, sizeBytes, about.offset),
  ]);
  const entry = Buffer.alloc(46, 0);
  entry.write("PK\u0001\u0002", 0, "latin1");
  entry.writeUInt32LE(crc32(content), 16);
  for (const field of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, field);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  const directory = Buffer.concat([entry, name, extra]);
  const directoryAt = about.offset + local.length + name.length + content.length;
  const end64 = Buffer.alloc(24);
  end64.write("PK\u0006\u0006", 0, "latin1");
  const locator = Buffer.concat([Buffer.from("PK\u0006\u0007"), Buffer.alloc(4)]);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.fill(0xff, 8, 20);
  const tail = Buffer.concat([
    ...[directory, end64, wide(1, 1, directory.length, directoryAt)],
    ...[locator, wide(directoryAt + directory.length), Buffer.from([1, 0, 0, 0]), end],
  ]);
  const handle = await open(path, "w");
  await handle.write(Buffer.concat([local, name, content]), 0, null, about.offset);
  await handle.write(tail, 0, null, directoryAt);
  await handle.close();
}

/** Returns a function that makes one short clip with different bytes for each number. */
export async function clipMaker(): Promise<(number: number) => Buffer> {
  const path = await encodeClip("moved.mp4", [
    ...[...picture("64x36", 1, 10), ...h264, "-movflags", "+faststart"],
  ]);
  const clip = await readFile(path);
  return (number) => {
    const box = Buffer.alloc(16);
    box.writeUInt32BE(16, 0);
    box.write("free", 4, "latin1");
    box.writeUInt32BE(number, 12);
    return Buffer.concat([clip, box]);
  };
}

export const webVtt = (text: string): string => `WEBVTT\n\n00:00.000 --> 00:00.900\n${text}\n`;

/** Returns a valid UUID for each number. */
export const uuidOf = (number: number): string =>
  `9b2ea8ee-8d4c-4b1f-8f3a-${number.toString(16).padStart(12, "0")}`;

/** Returns a video of a yt-dlp archive as files. */
export function ytDlpVideo(name: string, info: object, video: Uint8Array | string): FileContents {
  return {
    [`${name}.mp4`]: video,
    [`${name}.info.json`]: JSON.stringify({ extractor: "other", ext: "mp4", ...info }),
  };
}

/** Returns the video of a PeerTube export, and its files. */
export function peerTubeVideo(number: number, about: object = {}) {
  const uuid = uuidOf(number);
  return {
    uuid,
    url: `https://old.example/videos/watch/${uuid}`,
    name: `Video ${number}`,
    publishedAt: "2021-05-06T07:08:09.000Z",
    privacy: 1,
    views: 10 + number,
    likes: 2,
    tags: ["old"],
    category: 13,
    archiveFiles: {
      videoFile: `../files/videos/video-files/${uuid}.mp4`,
      thumbnail: null,
      captions: {},
    },
    ...about,
  };
}

export const peerTubeFiles = (
  videos: { uuid: string }[],
  contentOf: (at: number) => Uint8Array | string,
): FileContents => ({
  "peertube/videos.json": JSON.stringify({ videos }),
  ...Object.fromEntries(
    videos.map(({ uuid }, at) => [`files/videos/video-files/${uuid}.mp4`, contentOf(at)]),
  ),
});

/** Returns the playlists of a PeerTube export as a file: of each the name, privacy and videos. */
export const peerTubePlaylists = (
  lists: readonly (readonly [name: string, privacy: number | "later", ...videoUrls: string[]])[],
): FileContents => ({
  "peertube/video-playlists.json": JSON.stringify({
    videoPlaylists: lists.map(([displayName, privacy, ...videoUrls]) => ({
      displayName,
      description: null,
      privacy: privacy === "later" ? 3 : privacy,
      type: privacy === "later" ? 2 : 1,
      elements: videoUrls.map((videoUrl) => ({ videoUrl, startTimestamp: null })),
      archiveFiles: { thumbnail: null },
    })),
  }),
});

/** Time at which sources are read. */
export const now = new Date("2026-06-01T00:00:00Z");

interface ReadOptions {
  from?: SourceFormat;
  actorsFrom?: ActorsFrom;
}

/** Reads a folder or zip of another site. Refused files are returned as lines. */
export async function readPath(path: string, { from, actorsFrom }: ReadOptions = {}) {
  const source = await openSource(path, {
    from: from ?? null,
    actorsFrom: actorsFrom ?? null,
    now,
  });
  const items = source.entries.flatMap((entry) => (isRefused(entry) ? [] : [entry]));
  const refused = source.entries.flatMap((entry) =>
    isRefused(entry) ? [`${entry.path}: ${entry.reason}`] : [],
  );
  await source.close();
  return { format: source.format, items, refused, source };
}

export async function readTree(files: FileContents, options?: ReadOptions) {
  return readPath(await writeTree(makeFolder("source"), files), options);
}

export async function readZip(files: FileContents, links: string[] = []) {
  const path = join(makeFolder("zip"), "export.zip");
  await writeFile(path, zipOf(files, { links }));
  return readPath(path);
}

import { once } from "node:events";
import { Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { beginningBytes, beginningFirst } from "./film-beginning.ts";

const kib = 1024;

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

/** A movie header of version 0: its timescale is at byte 12, its duration at byte 16. */
function movieHeader(seconds: number): Buffer {
  const fields = Buffer.alloc(100);
  fields.writeUInt32BE(1000, 12);
  fields.writeUInt32BE(seconds * 1000, 16);
  return box("mvhd", fields);
}

function longMovieHeader(seconds: number): Buffer {
  const fields = Buffer.alloc(112);
  fields[0] = 1;
  fields.writeUInt32BE(90_000, 20);
  fields.writeBigUInt64BE(BigInt(seconds * 90_000), 24);
  return box("mvhd", fields);
}

const type = box("ftyp", Buffer.from("isom0000"));
const index = (seconds: number, rest = 1000) =>
  box("moov", movieHeader(seconds), Buffer.alloc(rest));
/** What of a file a first chunk holds. */
const head = (...boxes: Buffer[]) => Buffer.concat([...boxes, box("mdat", Buffer.alloc(64))]);

describe("beginningBytes", () => {
  const indexEnd = type.length + index(10).length;

  it("is the index and a second of film", () => {
    const sizeBytes = indexEnd + 10 * 500 * kib;
    expect(beginningBytes(head(type, index(10)), sizeBytes)).toBe(indexEnd + 500 * kib);
    const long = box("moov", longMovieHeader(10), Buffer.alloc(1000));
    const longEnd = type.length + long.length;
    expect(beginningBytes(head(type, long), longEnd + 10 * 500 * kib)).toBe(longEnd + 500 * kib);
  });

  it("is never very little or very much", () => {
    expect(beginningBytes(head(type, index(10)), 900 * kib)).toBe(indexEnd + 256 * kib);
    expect(beginningBytes(head(type, index(10)), 900_000 * kib)).toBe(indexEnd + 2048 * kib);
    // A fragmented file says no length.
    expect(beginningBytes(head(type, index(0)), 900_000 * kib)).toBe(indexEnd + 256 * kib);
  });

  it("counts an index that goes on beyond the first bytes", () => {
    const large = index(7200, 3000 * kib);
    const sizeBytes = type.length + large.length + 7200 * 400 * kib;
    const first = Buffer.concat([type, large]).subarray(0, 256 * kib);
    expect(beginningBytes(first, sizeBytes)).toBe(type.length + large.length + 400 * kib);
  });

  it("is no beginning where little would be left", () => {
    const beginning = indexEnd + 256 * kib;
    expect(beginningBytes(head(type, index(10)), beginning + 512 * kib)).toBe(beginning);
    expect(beginningBytes(head(type, index(10)), beginning + 512 * kib - 1)).toBeNull();
    expect(beginningBytes(head(type, index(10)), 100 * kib)).toBeNull();
  });

  it("says nothing of a file whose index comes last, or that is no MP4", () => {
    expect(beginningBytes(head(type), 9000 * kib)).toBeNull();
    expect(
      beginningBytes(Buffer.from("\x1aE\xdf\xa3 WebM, and more of it"), 9000 * kib),
    ).toBeNull();
    expect(beginningBytes(Buffer.alloc(300), 9000 * kib)).toBeNull();
    expect(beginningBytes(Buffer.alloc(0), 0)).toBeNull();
  });
});

describe("beginningFirst", () => {
  function chunksOf(file: Buffer): Buffer[] {
    return Array.from({ length: Math.ceil(file.length / (256 * kib)) }, (_, n) =>
      file.subarray(n * 256 * kib, (n + 1) * 256 * kib),
    );
  }

  it("changes no byte", async () => {
    for (const file of [
      Buffer.concat([type, index(10), box("mdat", Buffer.alloc(3000 * kib, "film"))]),
      Buffer.concat([type, index(1, 600 * kib), box("mdat", Buffer.alloc(600 * kib, "film"))]),
      Buffer.concat([type, index(1), box("mdat", Buffer.alloc(10, "film"))]),
      Buffer.alloc(700 * kib, "else"),
    ]) {
      const sent = await beginningFirst(Readable.from(chunksOf(file)), file.length).toArray();
      expect(Buffer.concat(sent as Buffer[]).equals(file)).toBe(true);
    }
  });

  it("holds back what does not belong to the beginning", async () => {
    const file = Buffer.concat([type, index(10), box("mdat", Buffer.alloc(3000 * kib, "film"))]);
    const { promise: frame, resolve: showFrame } = Promise.withResolvers<void>();
    const film = beginningFirst(Readable.from(chunksOf(file)), file.length, () => frame);
    let sentBytes = 0;
    film.on("data", (chunk: Buffer) => (sentBytes += chunk.length));
    await vi.waitFor(() => expect(sentBytes).toBe(beginningBytes(file, file.length)));
    for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setImmediate(done));
    expect(sentBytes).toBe(beginningBytes(file, file.length));
    showFrame();
    await once(film, "end");
    expect(sentBytes).toBe(file.length);
  });

  it("closes the film when the reader goes before the first byte", async () => {
    const film = Readable.from([Buffer.alloc(10)]);
    beginningFirst(film, 10).destroy();
    await once(film, "close");
    expect(film.destroyed).toBe(true);
  });
});

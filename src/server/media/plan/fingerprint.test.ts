import { describe, expect, it } from "vitest";
import { hashFrame, isSamePicture, listFingerprintPositions } from "./fingerprint.ts";
import { sampleSize } from "./frame-score.ts";

/** Returns a grey frame whose brightness is computed from the position. */
function frame(brightness: (x: number, y: number) => number): Uint8Array {
  const { width, height } = sampleSize;
  const bytes = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    bytes.fill(brightness(at % width, Math.floor(at / width)), at * 3, at * 3 + 3);
  }
  return bytes;
}

const waves = (phase: number, offset = 0) =>
  frame((x, y) => 120 + offset + 80 * Math.sin(x / (7 + phase) + y / (5 + phase) + phase));
const fingerprint = (frames: Uint8Array[]) => Buffer.concat(frames.map(hashFrame));
const tenOf = (make: (at: number) => Uint8Array) =>
  fingerprint(Array.from({ length: 10 }, (_, at) => make(at)));
const flat = frame(() => 16);

describe("hashFrame", () => {
  it("computes the same hash for brighter and darker copies of a frame", () => {
    expect(hashFrame(waves(3, 20))).toEqual(hashFrame(waves(3, -20)));
  });

  it("returns zeros for a frame without detail, and for no frame", () => {
    const dithered = frame((x, y) => 16 + ((x + y) % 2));
    for (const sample of [flat, dithered, new Uint8Array()]) {
      expect(hashFrame(sample)).toEqual(Buffer.alloc(8));
    }
  });
});

describe("isSamePicture", () => {
  const original = tenOf((at) => waves(at));

  it("matches itself, and a copy in which two frames differ", () => {
    expect(isSamePicture(original, original)).toBe(true);
    expect(
      isSamePicture(
        original,
        tenOf((at) => waves(at < 2 ? at + 20 : at)),
      ),
    ).toBe(true);
  });

  it("does not match other pictures, or three frames that differ", () => {
    expect(
      isSamePicture(
        original,
        tenOf((at) => waves(at + 20)),
      ),
    ).toBe(false);
    expect(
      isSamePicture(
        original,
        tenOf((at) => waves(at < 3 ? at + 20 : at)),
      ),
    ).toBe(false);
  });

  it("allows 10 differing bits in a frame, and no more", () => {
    const change = (bits: number) => {
      const copy = Buffer.from(original);
      for (let at = 0; at < 10; at += 1) {
        for (let bit = 0; bit < bits; bit += 1) {
          const byte = at * 8 + (bit >> 3);
          copy[byte] = (copy[byte] ?? 0) ^ (1 << (bit & 7));
        }
      }
      return copy;
    };
    expect(isSamePicture(original, change(10))).toBe(true);
    expect(isSamePicture(original, change(11))).toBe(false);
  });

  it("never matches videos that are flat in most frames", () => {
    const black = tenOf(() => flat);
    expect(isSamePicture(black, black)).toBe(false);
    const mostlyBlack = tenOf((at) => (at < 5 ? flat : waves(at)));
    expect(isSamePicture(mostlyBlack, mostlyBlack)).toBe(false);
    const fading = tenOf((at) => (at < 2 ? flat : waves(at)));
    expect(isSamePicture(fading, fading)).toBe(true);
    expect(
      isSamePicture(
        original,
        tenOf((at) => (at < 3 ? flat : waves(at))),
      ),
    ).toBe(false);
  });
});

it("spaces ten frames evenly", () => {
  expect(listFingerprintPositions(20)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
});

import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compress, isWorthCompressing, pickEncoding } from "./compression.ts";

describe("pickEncoding", () => {
  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1.0, BR ; q=0.5", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br; q=0.000", null],
    ["brotli", null],
    ["identity", null],
    ["", null],
    [undefined, null],
  ])("%s", (accepted, expected) => {
    expect(pickEncoding(accepted)).toBe(expected);
  });
});

describe("isWorthCompressing", () => {
  it("compresses only long texts", () => {
    expect(isWorthCompressing("text/html; charset=utf-8", 600)).toBe(true);
    expect(isWorthCompressing("application/json", 599)).toBe(false);
    expect(isWorthCompressing("image/jpeg", 60_000)).toBe(false);
    expect(isWorthCompressing("", 60_000)).toBe(false);
  });
});

describe("compress", () => {
  it("preserves the body", async () => {
    const body = Buffer.from("Kinora ".repeat(500));
    expect(brotliDecompressSync(await compress(body, "br"))).toEqual(body);
    expect(gunzipSync(await compress(body, "gzip"))).toEqual(body);
    expect((await compress(body, "br")).length).toBeLessThan(100);
  });
});

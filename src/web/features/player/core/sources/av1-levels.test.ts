import { afterEach, expect, test, vi } from "vitest";
import { decodesWell, isAv1 } from "./av1-levels.ts";

afterEach(() => vi.unstubAllGlobals());

const level = {
  videoCodec: "av01.0.08M.08",
  width: 1920,
  height: 1080,
  bitrate: 2_000_000,
  frameRate: 25,
};

function device(
  said: { supported: boolean; smooth: boolean; powerEfficient: boolean } | null,
  isMobile = false,
) {
  const decodingInfo = vi.fn(() =>
    said === null ? Promise.reject(new TypeError("no such codec")) : Promise.resolve(said),
  );
  vi.stubGlobal("navigator", { mediaCapabilities: { decodingInfo } });
  vi.stubGlobal("matchMedia", () => ({ matches: isMobile }));
  return decodingInfo;
}

test("AV1 is told by the codec of a rendition", () => {
  expect(isAv1(level)).toBe(true);
  expect(isAv1({ videoCodec: "avc1.64001f" })).toBe(false);
  expect(isAv1({ videoCodec: undefined })).toBe(false);
});

test("a processor decodes it where the device does not run on a battery", async () => {
  const ask = device({ supported: true, smooth: true, powerEfficient: false });
  expect(await decodesWell(level)).toBe(true);
  expect(ask).toHaveBeenCalledWith({
    type: "media-source",
    video: {
      contentType: 'video/mp4; codecs="av01.0.08M.08"',
      width: 1920,
      height: 1080,
      bitrate: 2_000_000,
      framerate: 25,
    },
  });
  device({ supported: true, smooth: true, powerEfficient: false }, true);
  expect(await decodesWell(level)).toBe(false);
  device({ supported: true, smooth: true, powerEfficient: true }, true);
  expect(await decodesWell(level)).toBe(true);
});

test("a device that would drop frames, or does not say, plays H.264", async () => {
  device({ supported: true, smooth: false, powerEfficient: true });
  expect(await decodesWell(level)).toBe(false);
  device(null);
  expect(await decodesWell(level)).toBe(false);
  vi.stubGlobal("navigator", {});
  expect(await decodesWell(level)).toBe(false);
});

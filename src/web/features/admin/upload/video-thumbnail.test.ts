import { expect, test, vi } from "vitest";
import { drawFrame, isBlack } from "./video-thumbnail.ts";

const frameOf = (red: number, green: number, blue: number) =>
  Array.from({ length: 4 * 50 }, (_, at) => [red, green, blue, 255][at % 4] ?? 0);

test.each([
  ["black", frameOf(0, 0, 0), true],
  ["the black of limited range", frameOf(8, 8, 8), true],
  ["a dark night", frameOf(20, 20, 30), false],
  ["a red picture", frameOf(200, 0, 0), false],
])("tells whether %s is a black frame", (_name, pixels, expected) => {
  expect(isBlack(pixels)).toBe(expected);
});

test.each([
  ["image/webp", ["image/webp", "image/jpeg", "image/png"]],
  ["image/jpeg", ["image/jpeg", "image/png"]],
])("encodes a frame as %s if the browser can encode %j", async (expected, encodable) => {
  const canvas = {
    getContext: () => ({ drawImage: () => undefined }),
    // Browsers replace a type that they can't encode by PNG.
    toBlob: (resolve: (blob: Blob) => void, type: string) =>
      resolve(new Blob([], { type: encodable.includes(type) ? type : "image/png" })),
  };
  vi.stubGlobal("document", { createElement: () => canvas });
  const video = { videoWidth: 2160, videoHeight: 3840 } as HTMLVideoElement;
  expect(await drawFrame(video, 1280, 2276)).toMatchObject({ type: expected });
});

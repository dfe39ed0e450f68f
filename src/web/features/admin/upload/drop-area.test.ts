import { expect, it } from "vitest";
import { isVideoFile } from "./drop-area.tsx";

const windowsMedia = new Uint8Array([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]);
const fileOf = (type: string) => new File([windowsMedia], "holiday", { type });

it.each(["video/mp4", "video/x-ms-wmv", "video/x-flv", "video/mpeg", "video/mp2t"])(
  "accepts a file of the type %s",
  (type) => {
    expect(isVideoFile(fileOf(type), true)).toBe(true);
    expect(isVideoFile(fileOf(type), false)).toBe(true);
  },
);

it("rejects a file of another type, and a dropped file of an unknown type", () => {
  expect(isVideoFile(fileOf("text/plain"), false)).toBe(false);
  expect(isVideoFile(fileOf(""), true)).toBe(false);
  expect(isVideoFile(fileOf(""), false)).toBe(true);
});

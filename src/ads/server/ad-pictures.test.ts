import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { useTestApp } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";

let cookie: string;
const app = useTestApp();
beforeAll(async () => {
  cookie = await app.signIn("EDITOR");
});

async function upload(body: Buffer): Promise<{ status: number; message: string }> {
  const response = await fetch(`${app.url}/api/ads/pictures`, {
    method: "POST",
    headers: { cookie, origin: app.url, "content-type": "image/jpeg" },
    body: new Uint8Array(body),
  });
  const { message = "" } = JSON.parse(await response.text());
  return { status: response.status, message };
}

const listStored = async () => {
  const names = await readdir(app.dataDir, { recursive: true });
  return names.filter((name) => /\.(jpg|png|webp)$/.test(name));
};

const makePicture = async (name: string) =>
  readFile(await encodeClip(name, ["-f", "lavfi", "-i", "testsrc=s=300x250", "-frames:v", "1"]));

test("stores only complete pictures, and explains what is wrong with others", async () => {
  const jpeg = await makePicture("picture.jpg");
  const animated = Buffer.alloc(64);
  animated.write("RIFF\0\0\0\0WEBPVP8X", "latin1");
  animated[20] = 2;
  const damaged = { status: 400, message: "The picture is damaged and can't be decoded." };
  expect(await upload(jpeg.subarray(0, jpeg.length / 4))).toEqual(damaged);
  expect(await upload((await makePicture("picture.png")).subarray(0, 900))).toEqual(damaged);
  expect(await upload(animated)).toEqual({
    status: 415,
    message: "Animated WebP images aren't supported. Choose a still one.",
  });
  expect(await upload(Buffer.from("GIF89a"))).toEqual({
    status: 415,
    message: "The image must be a JPEG, PNG or WebP file.",
  });
  expect(await listStored()).toEqual([]);
  expect(await upload(jpeg)).toEqual({ status: 201, message: "" });
  expect(await listStored()).toHaveLength(1);
});

test("stores a picture unchanged unless it contains metadata", async () => {
  const plain = await makePicture("plain.jpg");
  const xmp = Buffer.from("....http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>", "latin1");
  xmp.writeUInt16BE(0xffe1, 0);
  xmp.writeUInt16BE(xmp.length - 2, 2);
  const photo = Buffer.concat([plain.subarray(0, 2), xmp, plain.subarray(2)]);
  const storeNew = async (picture: Buffer) => {
    const before = await listStored();
    expect(await upload(picture)).toEqual({ status: 201, message: "" });
    const [name = ""] = (await listStored()).filter((each) => !before.includes(each));
    return readFile(join(app.dataDir, name));
  };
  expect(plain.equals(await storeNew(plain))).toBe(true);
  expect((await storeNew(photo)).includes("xmpmeta")).toBe(false);
});

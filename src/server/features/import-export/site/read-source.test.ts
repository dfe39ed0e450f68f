import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "#test/shared.ts";
import { now, readPath, readTree, readZip, writeZip64, zipOf } from "./other-sites.fixture.ts";
import { openSource } from "./read-source.ts";
import { readSmall } from "./source-files.ts";

describe("an archive", () => {
  it("refuses entries that lead out of it, links and repeated names", async () => {
    const { items, refused } = await readZip(
      {
        "../../evil.mp4": "video",
        "/abs.mp4": "video",
        "C:\\win.mp4": "video",
        "a/../../b.mp4": "video",
        "link.mp4": "/etc/passwd",
        "good.mp4": "video",
      },
      ["link.mp4"],
    );
    expect(items.map(({ file }) => file)).toEqual(["good.mp4"]);
    expect(refused).toEqual([
      "../../evil.mp4: its path leads out of the archive",
      "/abs.mp4: its path leads out of the archive",
      "C:\\win.mp4: its path leads out of the archive",
      "a/../../b.mp4: its path leads out of the archive",
      "link.mp4: a link",
    ]);
  });

  it("gives back the bytes of a file", async () => {
    const path = join(makeFolder("zip"), "some.zip");
    await writeFile(path, zipOf({ "a.mp4": "first", "b.mp4": "second" }));
    const source = await openSource(path, { from: null, actorsFrom: null, now });
    expect((await readSmall(source.files, "b.mp4", 100)).toString()).toBe("second");
    await expect(readSmall(source.files, "b.mp4", 3)).rejects.toThrow("larger than");
    await source.close();
  });

  it("refuses a damaged or compressed file that doesn't have the size and checksum it should", async () => {
    const content = "abc".repeat(1000);
    const good = zipOf({ "a.mp4": content }, { isCompressed: true });
    const folder = makeFolder("zip");
    const read = async (archive: Buffer) => {
      const path = join(folder, `${archive.length}-${archive.readUInt8(40)}.zip`);
      await writeFile(path, archive);
      const source = await openSource(path, { from: null, actorsFrom: null, now });
      try {
        return (await readSmall(source.files, "a.mp4", 1e6)).toString();
      } finally {
        await source.close();
      }
    };
    expect(await read(good)).toBe(content);
    const broken = Buffer.from(good);
    broken.writeUInt8(broken.readUInt8(40) ^ 0xff, 40);
    await expect(read(broken)).rejects.toThrow("the archive is damaged");
  });

  it("is read beyond 4 GB, and with a file larger than that", async () => {
    const path = join(makeFolder("zip"), "large.zip");
    await writeZip64(path, { name: "far.mp4", content: "bytes", offset: 5e9 });
    const source = await openSource(path, { from: null, actorsFrom: null, now });
    expect((await readSmall(source.files, "far.mp4", 100)).toString()).toBe("bytes");
    await source.close();
    const huge = { name: "huge.mp4", content: "bytes", offset: 5e9, sizeBytes: 30e9 };
    await writeZip64(path, huge);
    expect((await readPath(path)).items).toMatchObject([{ file: "huge.mp4", sizeBytes: 30e9 }]);
  });

  it("is read with more than 65,535 files", async () => {
    const names = Array.from({ length: 66_000 }, (_, at) => [`${at}.log`, ""]);
    const { items } = await readZip({ ...Object.fromEntries(names), "last.mp4": "video" });
    expect(items.map(({ file }) => file)).toEqual(["last.mp4"]);
  });

  it.each([
    ["no archive", "text"],
    ["a cut one", zipOf({ "a.mp4": "video" }).subarray(0, 60)],
  ])("is refused if it is %s", async (_, content) => {
    const path = join(makeFolder("zip"), "bad.zip");
    await writeFile(path, content);
    await expect(readPath(path)).rejects.toThrow("neither a folder nor a zip archive");
  });
});

it("reads files and folders whose names begin or end with a tilde", async () => {
  const files = { "~a~.mp4": "video", "~b~/c.mp4": "video", "d.mp4~": "video" };
  for (const { items, refused } of [await readTree(files), await readZip(files)]) {
    expect(items.map(({ file }) => file)).toEqual(["~a~.mp4", "~b~/c.mp4"]);
    expect(refused).toEqual([]);
  }
});

it("refuses a path where nothing is, and a folder without videos", async () => {
  await expect(readPath("/nowhere/at/all")).rejects.toThrow("doesn't exist");
  await expect(readTree({ "a.txt": "x" })).rejects.toThrow("No videos found");
});

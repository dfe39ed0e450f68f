import { mkdir, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "#test/shared.ts";
import { readPath, readTree, readZip, writeTree } from "./other-sites.fixture.ts";

async function readRated(rating: string) {
  const nfo = `<movie><mpaa>${rating}</mpaa></movie>`;
  return (await readTree({ "film.mp4": "video", "film.nfo": nfo })).items[0];
}

describe("a plain folder", () => {
  it("makes categories of folders, and reads the files beside a video", async () => {
    const { format, items } = await readTree(
      {
        "top.mp4": "video",
        "Travel/Far, away/my_trip.mkv": "video",
        "Travel/Far, away/my_trip.en.srt": "x",
        "Travel/Far, away/my_trip.srt": "x",
        "Travel/Far, away/my_trip.jpg": "picture",
        "Travel/Far, away/my_trip.txt": "About the trip",
        "Travel/Far, away/my_trip.nfo":
          "<movie><title>A &amp; B</title><plot>no</plot><premiered>2019-03-04</premiered>" +
          "<tag>sea</tag><actor><name>Ada</name></actor></movie>",
        "Travel/.hidden.mp4": "video",
        "notes.txt": "no video",
      },
      { actorsFrom: "cast" },
    );
    expect(format).toBe("folder");
    expect(items.map(({ title }) => title)).toEqual(["A & B", "top"]);
    expect(items[0]).toMatchObject({
      source: "folder",
      sourceId: "Travel/Far, away/my_trip.mkv (5 bytes)",
      description: "About the trip",
      publishedAt: new Date("2019-03-04T12:00:00Z"),
      labels: { categories: ["Travel", "Far away"], tags: ["sea"], actors: ["Ada"] },
      thumbnail: "Travel/Far, away/my_trip.jpg",
    });
    expect(items[0]?.captions.map(({ language }) => language).toSorted()).toEqual(["", "en"]);
  });

  it("reads flags after the language in the names of captions", async () => {
    const names = ["en", "en.sdh", "en.hi", "de.forced", "de", "fr.cc.default", "hi", "b.en"];
    const { items } = await readTree({
      "film.mp4": "video",
      ...Object.fromEntries(names.map((name) => [`film.${name}.srt`, "x"])),
    });
    const plain = { kind: null, isForced: false, isDefault: false, isAutomatic: false };
    const caption = (name: string, about: object) => ({
      ...plain,
      path: `film.${name}.srt`,
      ...about,
    });
    expect(items[0]?.captions).toEqual([
      caption("de.forced", { language: "de", isForced: true }),
      caption("de", { language: "de" }),
      caption("en.hi", { language: "en", kind: "SDH" }),
      caption("en", { language: "en" }),
      caption("fr.cc.default", { language: "fr", kind: "CC", isDefault: true }),
      caption("hi", { language: "hi" }),
    ]);
  });

  it("reads the files beside a video if their extensions are in capitals", async () => {
    const nfo = "<movie><title>Clip</title></movie>";
    const { items } = await readTree({
      ...{ "CLIP.MP4": "video", "CLIP.TXT": "About it", "CLIP.NFO": nfo },
      ...{ "CLIP-Poster.JPG": "another name", "CLIP-thumb.PNG": "picture", "CLIP.EN.SRT": "x" },
    });
    expect(items).toMatchObject([
      { title: "Clip", description: "About it", thumbnail: "CLIP-thumb.PNG", captions: [{}] },
    ]);
  });

  it("uses the date of the file for a film released before 1990", async () => {
    const folder = await writeTree(makeFolder("source"), {
      "film.mp4": "video",
      "film.nfo": "<movie><premiered>1972-05-04</premiered></movie>",
    });
    const fileDate = new Date("2021-02-03T04:05:06Z");
    await utimes(join(folder, "film.mp4"), fileDate, fileDate);
    expect((await readPath(folder)).items).toMatchObject([
      { publishedAt: fileDate, notes: ["publication date not used (1972)"] },
    ]);
  });

  it.each([
    ...["18", "FSK 18", "DE:FSK18", "R18+", "JP-R18+", "X18+", "VM18", "M18", "18SX", "18A"],
    ...["NC-17", "NC17", "Rated NC 17", "XXX", "X"],
  ])("marks a film rated %s as sensitive", async (rating) => {
    expect((await readRated(rating))?.isSensitive).toBe(true);
  });

  it.each(["", "PG-13", "TV-14", "R", "FSK 16", "FSK 180", "Rated R in 2018", "EXEMPT"])(
    "doesn't mark a film rated %j",
    async (rating) => {
      expect((await readRated(rating))?.isSensitive).toBe(false);
    },
  );

  it("refuses streams that a download program hasn't merged", async () => {
    const { items, refused } = await readTree({
      "Race.f1.mp4": "video",
      "a.f137.mp4": "video",
      "a.temp.mp4": "video",
    });
    expect(items.map(({ file }) => file)).toEqual(["Race.f1.mp4"]);
    const reason = "a single stream of a video that wasn't merged";
    expect(refused).toEqual([`a.f137.mp4: ${reason}`, `a.temp.mp4: ${reason}`]);
  });

  it("skips recycle bins, snapshots and other system folders", async () => {
    const skipped = [
      ...["#recycle", "#Recycle", "@Recycle", "$RECYCLE.BIN", "@eaDir", "#snapshot"],
      ...["lost+found", "System Volume Information"],
    ];
    const files = [...skipped.flatMap((name) => [name, `Travel/${name}`]), "#recycled", "Trips"];
    const tree = Object.fromEntries(files.map((name) => [`${name}/a.mp4`, "video"]));
    for (const { items, refused } of [await readTree(tree), await readZip(tree)]) {
      expect(items.map(({ file }) => file)).toEqual(["#recycled/a.mp4", "Trips/a.mp4"]);
      expect(refused).toEqual([]);
    }
  });

  it("refuses links that lead out of it, and follows those inside", async () => {
    const folder = await writeTree(makeFolder("source"), { "a/one.mp4": "video" });
    await symlink("/etc/hostname", join(folder, "out.mp4"));
    await symlink("/etc", join(folder, "etc"));
    await symlink("nowhere", join(folder, "dead.mp4"));
    await symlink("a/one.mp4", join(folder, "in.mp4"));
    await mkdir(join(folder, "empty"));
    const { items, refused } = await readPath(folder);
    expect(items.map(({ file }) => file)).toEqual(["a/one.mp4", "in.mp4"]);
    expect(refused).toEqual([
      "dead.mp4: a link to nothing",
      "etc: a link that leads out of the folder",
      "out.mp4: a link that leads out of the folder",
    ]);
  });
});

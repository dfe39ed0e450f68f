import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { makeFolder } from "#test/shared.ts";
import { commandLine } from "#server/commands/command.ts";
import { importSite } from "#server/commands/import-site.command.ts";
import { readConfig } from "#server/config.ts";
import { toConnectionString } from "#server/db/connection.ts";
import { sql } from "kysely";
import type { OpenSource } from "./read-source.ts";
import type { ImportChoices } from "./item-writer.ts";
import { isRefused } from "./source-item.ts";
import {
  clipMaker,
  webVtt,
  writeTree,
  ytDlpVideo,
  type FileContents,
} from "./other-sites.fixture.ts";

const app = useTestApp();
let clip: (number: number) => Buffer;
let admin: ReturnType<typeof createClient>;
let picture: Buffer;
beforeAll(async () => {
  clip = await clipMaker();
  admin = createClient(app.url, await app.signIn());
  const path = await encodeClip("moved.jpg", [
    ...["-f", "lavfi", "-i", "testsrc2=size=320x180", "-frames:v", "1"],
  ]);
  picture = await readFile(path);
});

const plain: ImportChoices = { publishes: false, counts: false, links: false };
const { signal } = new AbortController();

const openTree = async (files: FileContents): Promise<OpenSource> =>
  app.context.siteImports.open(await writeTree(makeFolder("site"), files), {
    from: null,
    actorsFrom: "channel",
  });

/** Adds everything, as the command does. Returns one line for each entry. */
async function addAll(source: OpenSource, choices: Partial<ImportChoices> = {}): Promise<string[]> {
  const lines: string[] = [];
  const { siteImports } = app.context;
  for (const entry of source.entries) {
    if (isRefused(entry)) {
      lines.push(`refused ${entry.path}: ${entry.reason}`);
      continue;
    }
    lines.push(
      await siteImports
        .add(source, entry, { ...plain, ...choices, actor: commandLine, signal })
        .then(
          ({ outcome, note }) => `${outcome} ${entry.sourceId}${note === "" ? "" : `: ${note}`}`,
          (error: unknown) =>
            `refused ${entry.sourceId}: ${siteImports.explain(error, entry.file)}`,
        ),
    );
  }
  return lines;
}

const find = async (slug: string) => (await admin.call("GET", `/api/videos/${slug}`)).json;
const countVideos = async (): Promise<number> =>
  Number(
    (
      await app.db
        .selectFrom("videos")
        .select(sql<string>`count(*)`.as("n"))
        .execute()
    )[0]?.n,
  );

const everything = () => ({
  ...ytDlpVideo(
    "night",
    {
      id: "n1",
      title: "Night walk",
      description: "Through the town",
      timestamp: 1_577_923_200,
      tags: ["walk"],
      categories: ["Travel"],
      channel: "Ada",
      chapters: [
        { start_time: 0, title: "Out" },
        { start_time: 0.5, title: "Back" },
      ],
      availability: "unlisted",
      age_limit: 18,
      view_count: 5000,
      like_count: 40,
      subtitles: { en: [], "en-ehkg1hFWq8A": [{ name: "Commentary" }] },
      automatic_captions: { de: [] },
      webpage_url: "https://old.example/view?m=n1",
    },
    clip(1),
  ),
  "night.en.vtt": webVtt("hello"),
  "night.en-ehkg1hFWq8A.vtt": webVtt("how it was made"),
  "night.de.vtt": webVtt("hallo"),
  "night.jpg": picture,
});

it("keeps what the other site knew, once", async () => {
  const source = await openTree(everything());
  expect(await addAll(source, { publishes: true, counts: true })).toEqual(["added n1"]);
  const video = await find("night-walk");
  expect(video).toMatchObject({
    title: "Night walk",
    description: "Through the town",
    publishedAt: "2020-01-02T00:00:00.000Z",
    isPublished: true,
    visibility: "unlisted",
    isSensitive: true,
    views: 5000,
    likes: 40,
    chapters: [
      { startS: 0, title: "Out" },
      { startS: 0.5, title: "Back" },
    ],
    tags: [{ tag: expect.objectContaining({ name: "walk" }) }],
    categories: [{ category: expect.objectContaining({ name: "Travel" }) }],
    actors: [{ actor: expect.objectContaining({ name: "Ada" }) }],
  });
  expect(video.thumbnailUrl).not.toBeNull();
  expect(video.posterUrl).toMatch(/\/thumbnail-[^/]+\/poster\.jpg$/);
  const { captions } = await app.context.captions.list(video.id);
  expect(captions.map(({ language, name }) => [language, name])).toEqual([
    ["en", "English"],
    ["en", "Commentary"],
    ["de", "Deutsch (automatic)"],
  ]);

  await app.db
    .updateTable("videos")
    .set({ status: "ready", visibility: "public" })
    .where("id", "=", video.id)
    .execute();
  expect((await find("night-walk")).publishedAt).toBe("2020-01-02T00:00:00.000Z");

  const count = await countVideos();
  expect(await addAll(source)).toEqual(["known n1"]);
  expect(await countVideos()).toBe(count);
  const { entries } = await app.context.siteImports.plan(source, plain);
  expect(entries.map(({ outcome }) => outcome)).toEqual(["known"]);
});

it("makes drafts that keep the publication date for later, without counts", async () => {
  const source = await openTree(
    ytDlpVideo("d", { id: "d1", title: "Draft", timestamp: 1_600_000_000, view_count: 9 }, clip(2)),
  );
  await addAll(source);
  const { id, isPublished, views } = await find("draft");
  expect({ isPublished, views }).toEqual({ isPublished: false, views: 0 });
  const { json } = await admin.call("PUT", `/api/videos/${id}`, { isPublished: true });
  expect(json.publishedAt).toBe("2020-09-13T12:26:40.000Z");
});

it("shows imported counts in Most Viewed, and leaves them out of other rankings", async () => {
  const source = await openTree(
    ytDlpVideo("c", { id: "c1", title: "Counted", view_count: 90_000, like_count: 800 }, clip(3)),
  );
  await addAll(source, { publishes: true, counts: true });
  const { id } = await find("counted");
  await app.db
    .updateTable("videos")
    .set({ status: "ready", progressive_key: "k" })
    .where("id", "=", id)
    .execute();
  const { json } = await createClient(app.url).call("GET", "/api/videos?sort=most_viewed");
  expect(json.videos[0]).toMatchObject({ id, views: 90_000, likes: 800 });
  const row = await app.db
    .selectFrom("videos")
    .select(["rating", "trend", "reward_count", "imported_views", "views"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ rating: 0, reward_count: 0, trend: Number.NEGATIVE_INFINITY });
  expect(row.views - row.imported_views).toBe(0);
});

it("continues with what is missing after a stop at any point", async () => {
  const { siteImports, ingest } = app.context;
  const files = {
    ...ytDlpVideo("s", { id: "s1", title: "Stopped" }, clip(4)),
    "s.en.vtt": webVtt("x"),
  };
  const source = await openTree(files);
  const [item] = source.entries;
  if (item === undefined || isRefused(item)) throw new Error("no item");
  // Stops after the video was created, and before its captions.
  const stopped = new AbortController();
  const original = ingest.ingest;
  ingest.ingest = async (input) => {
    const video = await original(input);
    stopped.abort();
    return video;
  };
  try {
    const options = { ...plain, actor: commandLine, signal: stopped.signal };
    await expect(siteImports.add(source, item, options)).rejects.toThrow("abort");
  } finally {
    ingest.ingest = original;
  }
  const { id } = await find("stopped");
  expect((await app.context.captions.list(id)).captions).toEqual([]);
  expect(await addAll(source)).toEqual(["added s1"]);
  expect((await app.context.captions.list(id)).captions).toHaveLength(1);
  expect((await find("stopped")).id).toBe(id);
  const again = await app.db
    .selectFrom("videos")
    .select("id")
    .where("title", "=", "Stopped")
    .execute();
  expect(again).toHaveLength(1);
});

it("imports a video once if two runs meet", async () => {
  const source = await openTree({
    ...ytDlpVideo("m", { id: "m1", title: "Met" }, clip(5)),
    "m.en.vtt": webVtt("once"),
  });
  await Promise.all([addAll(source), addAll(source), addAll(source)]);
  const { id } = await find("met");
  expect((await app.context.captions.list(id)).captions).toHaveLength(1);
  const rows = await app.db.selectFrom("videos").select("id").where("title", "=", "Met").execute();
  expect(rows).toHaveLength(1);
});

it("doesn't bring back a video that was removed here", async () => {
  const source = await openTree(ytDlpVideo("g", { id: "g1", title: "Gone" }, clip(6)));
  await addAll(source);
  const { id } = await find("gone");
  await admin.call("DELETE", `/api/videos/${id}`);
  expect(await addAll(source)).toEqual(["known g1"]);
});

it("refuses or repairs bad files in a line each, and imports the others", async () => {
  const cyrillic = Buffer.concat([
    Buffer.from("1\n00:00:00,000 --> 00:00:00,900\n"),
    // "Привет, мир" in windows-1251.
    Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0, 0x0a]),
  ]);
  const source = await openTree({
    ...ytDlpVideo("b1", { id: "b1", title: "Not a video" }, "text"),
    ...ytDlpVideo("b2", { id: "b2", title: "Empty" }, ""),
    ...ytDlpVideo("b3", { id: "b3", title: "Bad sidecars" }, clip(7)),
    "b3.jpg": "no picture",
    "b3.de.vtt": "no captions",
    "b3.en.srt": "1\n00:00:00,000 --> 00:00:00,900\nGPS (10.1234, 50.1234, 15), H 53.20m\n",
    "b3.ru.srt": cyrillic,
    "b4.info.json": "{",
    ...ytDlpVideo("b5", { id: "b5", title: "Same file" }, clip(7)),
    ...ytDlpVideo("b6", { id: "b6", title: "Own address", webpage_url: "/home?x=1" }, clip(8)),
  });
  expect(await addAll(source)).toEqual([
    expect.stringMatching(/^refused b1: /),
    "refused b2: its file is empty",
    expect.stringMatching(
      /^added b3: thumbnail not readable.*; captions de left out: .*; captions en left out: They contain camera data, such as GPS positions\.; captions ru read as windows-1251$/,
    ),
    "refused b4.info.json: not valid JSON",
    "added b5: the same file as /video/bad-sidecars",
    "added b6: /home?x=1: this site has a page at that address",
  ]);
  const { id } = await find("bad-sidecars");
  const { captions } = await app.context.captions.list(id);
  expect(captions.map(({ language }) => language)).toEqual(["ru"]);
  const { lines } = await app.context.captions.get(id, captions[0]?.id ?? "");
  expect(lines[0]?.text).toBe("Привет, мир");
  // A repaired file is new again.
  const [, , ...more] = source.entries;
  expect(more).not.toEqual([]);
  expect((await app.context.siteImports.plan(source, plain)).entries[0]?.outcome).toBe("new");
});

it("refuses what doesn't fit, and imports what does", async () => {
  const source = await openTree({
    ...ytDlpVideo("f1", { id: "f1", title: "Fits" }, clip(9)),
    ...ytDlpVideo(
      "f2",
      { id: "f2", title: "Large" },
      Buffer.concat([clip(10), Buffer.alloc(9000)]),
    ),
  });
  const { storage } = app.context;
  const original = storage.findFreeBytes;
  storage.findFreeBytes = async () => clip(9).length * 2 + 100;
  try {
    const plan = await app.context.siteImports.plan(source, plain);
    expect(plan.entries.map(({ outcome }) => outcome)).toEqual(["new", "refused"]);
    expect(await addAll(source)).toEqual([
      "added f1",
      expect.stringMatching(/^refused f2: needs .* with its renditions, and only .* is free$/),
    ]);
  } finally {
    storage.findFreeBytes = original;
  }
});

it("links files instead of copying them on request", async () => {
  const folder = await writeTree(
    makeFolder("site"),
    ytDlpVideo("l", { id: "l1", title: "Linked" }, clip(11)),
  );
  const source = await app.context.siteImports.open(folder, { from: null, actorsFrom: null });
  expect(await addAll(source, { links: true })).toEqual(["added l1"]);
  expect((await stat(join(folder, "l.mp4"))).nlink).toBe(2);
});

it("makes a series of a playlist, and leaves an existing series as it is", async () => {
  const { siteImports, labels } = app.context;
  const files: FileContents = {};
  for (const [at, place] of [3, 1, 2].entries()) {
    const info = {
      id: `p${at}`,
      title: `Part ${place}`,
      playlist: "The, mix",
      playlist_index: place,
    };
    Object.assign(files, ytDlpVideo(`p${at}`, info, clip(20 + at)));
  }
  const source = await openTree(files);
  await addAll(source);
  expect(await siteImports.addPlaylists(source, commandLine)).toBe(1);
  const id = (await labels.findIdByName("tags", "The mix")) ?? "";
  const read = async () =>
    (await labels.series.getOrder("tags", id, { limit: 10, offset: 0 })).videos.map(
      ({ title }) => title,
    );
  expect(await read()).toEqual(["Part 1", "Part 2", "Part 3"]);
  // An editor takes one out. A second run doesn't bring it back.
  const { id: second } = await find("part-2");
  await admin.call("PUT", `/api/videos/${second}`, { tags: [] });
  expect(await siteImports.addPlaylists(source, commandLine)).toBe(0);
  expect(await read()).toEqual(["Part 1", "Part 3"]);

  // Two more, imported by a run that was killed before it came to the playlists.
  for (const place of [5, 4]) {
    const info = { id: `p${place}`, title: `Part ${place}`, playlist: "The, mix" };
    const about = { ...info, playlist_index: place };
    Object.assign(files, ytDlpVideo(`p${place}`, about, clip(20 + place)));
  }
  const longer = await openTree(files);
  await addAll(longer);
  expect(await siteImports.addPlaylists(longer, commandLine)).toBe(1);
  expect(await read()).toEqual(["Part 1", "Part 3", "Part 4", "Part 5"]);
});

it("makes a series by date if several runs numbered a channel's videos", async () => {
  const { siteImports, labels } = app.context;
  const files: FileContents = {};
  for (const [at, day] of ["20200103", undefined, "20200101", "20200102"].entries()) {
    const info = { id: `r${at}`, title: `Run ${day}`, playlist: "Runs", upload_date: day };
    const about = { ...info, playlist_index: (at % 2) + 1 };
    Object.assign(files, ytDlpVideo(`r${at}`, about, clip(40 + at)));
  }
  const source = await openTree(files);
  await addAll(source);
  await siteImports.addPlaylists(source, commandLine);
  const id = (await labels.findIdByName("tags", "Runs")) ?? "";
  const { videos } = await labels.series.getOrder("tags", id, { limit: 10, offset: 0 });
  expect(videos.map(({ title }) => title)).toEqual([
    ...["Run 20200101", "Run 20200102", "Run 20200103", "Run undefined"],
  ]);
});

it("makes a series in the order of its playlist if the command is stopped and continued", async () => {
  const { labels } = app.context;
  const files: FileContents = {};
  for (const [at, place] of [2, 1, 3].entries()) {
    const info = { id: `o${at}`, title: `Order ${place}`, playlist: "In order" };
    Object.assign(files, ytDlpVideo(`o${at}`, { ...info, playlist_index: place }, clip(30 + at)));
  }
  const folder = await writeTree(makeFolder("site"), files);
  const config = readConfig({
    ...process.env,
    DATA_DIR: app.dataDir,
    DATABASE_URL: toConnectionString(app.database.target),
  });
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed.push(String(text));
    // The listener of the command, without those of the test runner.
    if (String(text).startsWith("0 of 3")) process.listeners("SIGINT").at(-1)?.("SIGINT");
    return true;
  });
  const run = () => importSite.run(config, { args: [folder], flags: new Set(), values: {} });
  try {
    expect(await run()).toBe("failed");
    expect(printed).toContain("1 added, 2 not imported yet.\n");
    expect(await labels.findIdByName("tags", "In order")).toBeNull();
    await run();
  } finally {
    write.mockRestore();
  }
  const id = (await labels.findIdByName("tags", "In order")) ?? "";
  const { videos } = await labels.series.getOrder("tags", id, { limit: 10, offset: 0 });
  expect(videos.map(({ title }) => title)).toEqual(["Order 1", "Order 2", "Order 3"]);
});

import {
  chmod,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { commandLine } from "#server/commands/command.ts";
import { newToken } from "#server/lib/ids.ts";
import { clipMaker, webVtt, writeTree } from "../site/other-sites.fixture.ts";

const importDir = join(tmpdir(), `kinora-watch-${newToken(6)}`);
/** Moves with `rest`, so that no test waits. */
let nowMs = Date.UTC(2026, 5, 1);
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
const app = useTestApp({ env: { IMPORT_DIR: importDir }, clock });
const other = useTestApp(() => ({ env: { IMPORT_DIR: importDir }, clock, besides: app }));
let clip: (number: number) => Buffer;
let admin: ReturnType<typeof createClient>;
const { signal } = new AbortController();

beforeAll(async () => {
  clip = await clipMaker();
  admin = createClient(app.url, await app.signIn());
});
beforeEach(async () => {
  await rm(importDir, { recursive: true, force: true });
  await mkdir(importDir);
  await app.db.deleteFrom("watched_files").execute();
  await app.db.deleteFrom("watched_folder").execute();
  await set({ watchFolder: true, watchPublishes: false, watchRestS: 30 });
});
afterAll(() => rm(importDir, { recursive: true, force: true }));

const set = async (body: object) =>
  expect((await admin.call("POST", "/api/settings", body)).status).toBe(200);
const write = (files: Parameters<typeof writeTree>[1]) => writeTree(importDir, files);
const rest = () => {
  nowMs += 31_000;
};
const look = () => app.context.watchedFolder.look(signal);
/** Looks once to see the files, and once after they have rested. */
const lookTwice = async () => {
  await look();
  rest();
  return look();
};
const state = async () => (await admin.call("GET", "/api/admin/watched-folder")).json;
const titled = (title: string) =>
  app.db.selectFrom("videos").selectAll().where("title", "=", title).execute();
const tree = async (folder = "."): Promise<string[]> =>
  (await readdir(join(importDir, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(importDir.length + 1))
    .toSorted();

it("imports a file with its sidecars after it has rested, and moves them to done", async () => {
  await write({
    "Travel/2026/night_walk.mp4": clip(1),
    "Travel/2026/night_walk.en.vtt": webVtt("hello"),
    "Travel/2026/night_walk.txt": "About the walk",
    "Travel/2026/other.txt": "belongs to no video",
  });
  await look();
  expect(await state()).toMatchObject({ isOn: true, problem: null, waiting: 1, failed: 0 });
  expect(await titled("night walk")).toEqual([]);
  rest();
  await look();
  const { json } = await admin.call("GET", "/api/videos/night-walk");
  expect(json).toMatchObject({
    ...{ isPublished: false, description: "About the walk" },
    categories: [{ category: expect.objectContaining({ name: "Travel" }) }],
  });
  expect((await app.context.captions.list(json.id)).captions).toHaveLength(1);
  expect(await tree()).toEqual([
    "Travel/2026/other.txt",
    "done/Travel/2026/night_walk.en.vtt",
    "done/Travel/2026/night_walk.mp4",
    "done/Travel/2026/night_walk.txt",
  ]);
  expect(await state()).toMatchObject({
    ...{ waiting: 0, failed: 0 },
    files: [{ path: "Travel/2026/night_walk.mp4", state: "done", videoId: json.id }],
  });
  const [entry] = await app.db
    .selectFrom("audit_log")
    .select(["user_email", "action"])
    .where("entity_id", "=", json.id)
    .where("action", "=", "video.uploaded")
    .execute();
  expect(entry).toEqual({ user_email: "watched folder", action: "video.uploaded" });
});

it("moves the files beside a video if their extensions are in capitals", async () => {
  await write({
    ...{ "CLIP.MP4": clip(30), "CLIP.JPG": "no picture", "CLIP.en.SRT": "x" },
    ...{ "CLIP.TXT": "About it", "CLIP.NFO": "<movie><title>In capitals</title></movie>" },
  });
  await lookTwice();
  expect(await titled("In capitals")).toMatchObject([{ description: "About it" }]);
  expect(await tree()).toEqual(
    ["CLIP.JPG", "CLIP.MP4", "CLIP.NFO", "CLIP.TXT", "CLIP.en.SRT"].map((name) => `done/${name}`),
  );
});

it("doesn't import while it is off", async () => {
  await set({ watchFolder: false });
  await write({ "off.mp4": clip(2) });
  await lookTwice();
  expect(await titled("off")).toEqual([]);
  expect(await tree()).toEqual(["off.mp4"]);
});

it("looks in a job that the schedule repeats", async () => {
  await set({ watchRestS: 3600 });
  await write({ "scheduled.mp4": clip(25) });
  await app.runJob("import.watch");
  expect(await state()).toMatchObject({ waiting: 1, lookedAt: clock.date().toISOString() });
  const job = app.context.jobs.find(({ name }) => name === "import.watch");
  expect(job?.schedule).toEqual({ cron: "* * * * *", runsAtStart: true });
});

it("publishes the videos on request", async () => {
  await set({ watchPublishes: true });
  await write({ "public one.mp4": clip(3) });
  await lookTwice();
  expect((await admin.call("GET", "/api/videos/public-one")).json.isPublished).toBe(true);
});

it("waits for a file that still changes, and for its sidecars", async () => {
  await write({ "growing.mp4": clip(4).subarray(0, 500) });
  await look();
  rest();
  await write({ "growing.mp4": clip(4) });
  await look();
  rest();
  await write({ "growing.en.vtt": webVtt("late") });
  await look();
  expect(await titled("growing")).toEqual([]);
  rest();
  await look();
  const [video] = await titled("growing");
  expect((await app.context.captions.list(video?.id ?? "")).captions).toHaveLength(1);
});

it("ignores hidden and partial names, done and failed", async () => {
  const names = [".hidden.mp4", "a.mp4.part", "a.mp4.crdownload", "a.mp4~", "a.mp4.tmp"];
  const streams = ["a.f137.mp4", "a.f251-drc.webm", "a.temp.mp4"];
  const files = [...names, ...streams, ".dir/a.mp4", "done/a.mp4", "failed/a.mp4"];
  await write(Object.fromEntries(files.map((name) => [name, clip(5)])));
  await lookTwice();
  expect(await state()).toMatchObject({ waiting: 0, failed: 0, files: [] });
  expect(await tree()).toEqual(files.toSorted());
});

it("moves a refused file to failed with a text that says why, until the list is cleared", async () => {
  await write({ "Cat/broken.mp4": "not a video", "Cat/empty.mp4": "" });
  await lookTwice();
  expect(await tree()).toEqual([
    "failed/Cat/broken.mp4",
    "failed/Cat/broken.mp4.txt",
    "failed/Cat/empty.mp4",
    "failed/Cat/empty.mp4.txt",
  ]);
  const text = await readFile(join(importDir, "failed/Cat/empty.mp4.txt"), "utf8");
  expect(text).toContain("Cat/empty.mp4 wasn't imported.\n\nReason: its file is empty");
  expect(await state()).toMatchObject({ waiting: 0, failed: 2 });
  const { json } = await admin.call("GET", "/api/admin/system");
  expect(json.watchedFolder).toMatchObject({ waiting: 0, failed: 2, problem: null });

  // Corrected and moved back under the same name, size and time.
  await rename(join(importDir, "failed/Cat/broken.mp4"), join(importDir, "Cat/broken.mp4"));
  await lookTwice();
  await look();
  expect(await tree("failed")).toContain("failed/Cat/broken.mp4");

  expect((await admin.call("DELETE", "/api/admin/watched-folder/failed")).status).toBe(204);
  expect(await state()).toMatchObject({ failed: 0 });
  const [entry] = await app.db
    .selectFrom("audit_log")
    .select("before")
    .where("action", "=", "watched-folder.cleared")
    .execute();
  expect(entry?.before).toEqual({ failed: 2 });
});

it("remembers files of a folder from which it can't move them", async () => {
  // Nobody can create a folder with this name, as on a read-only disk.
  await write({ done: "in the way", "kept.mp4": clip(6), "bad.mp4": "not a video" });
  await lookTwice();
  await lookTwice();
  expect(await titled("kept")).toHaveLength(1);
  expect(await tree()).toEqual(["bad.mp4", "done", "kept.mp4"]);
  expect(await state()).toMatchObject({ waiting: 0, failed: 1 });

  // Away for a while, as a disk that is mounted again.
  await rename(join(importDir, "kept.mp4"), join(importDir, ".kept"));
  await lookTwice();
  await rename(join(importDir, ".kept"), join(importDir, "kept.mp4"));
  await lookTwice();
  expect(await titled("kept")).toHaveLength(1);
  // Another time means another file.
  await utimes(join(importDir, "kept.mp4"), new Date(), new Date(2020, 1));
  await lookTwice();
  expect(await titled("kept")).toHaveLength(2);

  // As after a process that died before it moved them.
  await rm(join(importDir, "done"));
  await look();
  expect(await tree()).toEqual(["done/kept.mp4", "failed/bad.mp4", "failed/bad.mp4.txt"]);
  expect(await titled("kept")).toHaveLength(2);
});

it("imports a file once if two workers look at the same time", async () => {
  await write({ "one.mp4": clip(7), "two.mp4": clip(8), "three.mp4": "not a video" });
  const both = () => Promise.all([look(), other.context.watchedFolder.look(signal)]);
  await both();
  rest();
  await both();
  rest();
  await both();
  expect(await titled("one")).toHaveLength(1);
  expect(await titled("two")).toHaveLength(1);
  expect(await tree()).toEqual([
    ...["done/one.mp4", "done/two.mp4", "failed/three.mp4", "failed/three.mp4.txt"],
  ]);
});

it("imports a file again that replaces another one under its name", async () => {
  await write({ "same.mp4": clip(9) });
  await lookTwice();
  await write({ "same.mp4": clip(10) });
  await lookTwice();
  expect(await titled("same")).toHaveLength(2);
  expect(await tree()).toEqual(["done/same (2).mp4", "done/same.mp4"]);
});

it("leaves a file that replaces another one during its import for the next look", async () => {
  await write({ "swap.mp4": clip(11) });
  await look();
  rest();
  const { ingest } = app.context;
  const original = ingest.ingest;
  ingest.ingest = async (input) => {
    const video = await original(input);
    await write({ "swap.mp4": Buffer.concat([clip(12), clip(12)]) });
    return video;
  };
  try {
    await look();
  } finally {
    ingest.ingest = original;
  }
  expect(await tree()).toEqual(["swap.mp4"]);
  expect(await titled("swap")).toHaveLength(1);
  await lookTwice();
  expect(await titled("swap")).toHaveLength(2);
  expect(await tree()).toEqual(["done/swap.mp4"]);
});

it("adds a video with the same bytes again, and says so, as uploads do", async () => {
  await write({ "first.mp4": clip(13) });
  await lookTwice();
  await write({ "second.mp4": clip(13) });
  await lookTwice();
  expect(await titled("second")).toHaveLength(1);
  const { files } = await state();
  expect(files).toContainEqual(
    expect.objectContaining({ path: "second.mp4", note: "the same file as /video/first" }),
  );
  // The very same file, put there again.
  await rename(join(importDir, "done/second.mp4"), join(importDir, "second.mp4"));
  await lookTwice();
  expect(await titled("second")).toHaveLength(2);
});

it("doesn't import what was imported from the folder before it was watched", async () => {
  await write({ "Cat/before.mp4": clip(26), "Cat/later.mp4": clip(27) });
  const { siteImports } = app.context;
  const source = await siteImports.open(importDir, { from: "folder", actorsFrom: null });
  const choices = { publishes: false, counts: false, links: false };
  for (const entry of source.entries) {
    if (!("reason" in entry)) {
      await siteImports.add(source, entry, { ...choices, actor: commandLine, signal });
    }
  }
  // Replaced by a file of the same size afterwards.
  await utimes(join(importDir, "Cat/later.mp4"), new Date(), new Date(Date.now() + 60_000));
  await lookTwice();
  expect(await titled("before")).toHaveLength(1);
  expect(await titled("later")).toHaveLength(2);
  expect(await tree()).toEqual(["done/Cat/before.mp4", "done/Cat/later.mp4"]);
});

it("moves files to done if the folder is a link to another one", async () => {
  const actual = `${importDir}-actual`;
  await rename(importDir, actual);
  await symlink(actual, importDir);
  try {
    await write({ "Cat/behind link.mp4": clip(29) });
    await lookTwice();
    await lookTwice();
    expect(await titled("behind link")).toHaveLength(1);
    expect(await tree()).toEqual(["done/Cat/behind link.mp4"]);
  } finally {
    await rm(importDir);
    await rm(actual, { recursive: true });
  }
});

it("handles a thousand files a part at a time", async () => {
  const names = Array.from({ length: 1000 }, (_, at) => `many/${at}.mp4`);
  await write(Object.fromEntries(names.map((name) => [name, ""])));
  expect(await look()).toBe(false);
  expect(await state()).toMatchObject({ waiting: 1000 });
  rest();
  expect(await look()).toBe(true);
  expect(await state()).toMatchObject({ waiting: 975, failed: 25 });
  // A file that comes later isn't held up by the look.
  await write({ "many/0 new.mp4": clip(14) });
  expect(await look()).toBe(true);
  rest();
  expect(await look()).toBe(true);
  expect(await titled("0 new")).toHaveLength(1);
});

it("forgets nothing while the disk of the folder is away", async () => {
  await write({ done: "in the way", "net.mp4": clip(15), "waits.mp4": "not a video" });
  await lookTwice();
  expect(await titled("net")).toHaveLength(1);
  const before = await state();

  const mounted = `${importDir}-mounted`;
  await rename(importDir, mounted);
  rest();
  await look();
  const missing = await state();
  expect(missing.problem).toBe("The folder can't be read (ENOENT).");
  expect(missing.files).toEqual(before.files);
  // The empty folder on which the disk is mounted.
  await mkdir(importDir);
  rest();
  await look();
  const empty = await state();
  expect(empty.problem).toContain("Is its disk mounted?");
  expect(empty).toMatchObject({ files: before.files, lookedAt: before.lookedAt });
  expect(await tree()).toEqual([]);

  await rm(importDir, { recursive: true });
  await rename(mounted, importDir);
  await lookTwice();
  expect(await titled("net")).toHaveLength(1);
  const after = await state();
  expect(after).toMatchObject({ problem: null, failed: 1, waiting: 0 });
  expect(Date.parse(after.lookedAt)).toBeGreaterThan(Date.parse(before.lookedAt));
});

it("takes an emptied folder for what it is", async () => {
  await write({ "last.mp4": clip(16) });
  await lookTwice();
  await rm(join(importDir, "done"), { recursive: true });
  await rm(join(importDir, "failed"), { recursive: true });
  await look();
  expect(await state()).toMatchObject({ problem: null });
});

it("refuses links, odd names and second spellings, and follows none", async () => {
  await write({ "real.mp4": clip(17), "Caf\u0065\u0301/\u0065\u0301te\u0301.mp4": clip(18) });
  await write({ "up\\..\\..\\evil.mp4": "", "C:\\win.mp4": "", "two\nlines.mp4": clip(21) });
  await write({ "dou\u00e9.mp4": clip(22), "doue\u0301.mp4": clip(23) });
  await writeFile(
    Buffer.concat([Buffer.from(`${importDir}/`), Buffer.from([0xff, 0x2e]), Buffer.from("mp4")]),
    "x",
  );
  await symlink("/etc/hostname", join(importDir, "out.mp4"));
  await symlink("/etc", join(importDir, "etc"));
  await symlink("real.mp4", join(importDir, "in.mp4"));
  await lookTwice();
  expect(await titled("\u00e9t\u00e9")).toHaveLength(1);
  expect(await titled("real")).toHaveLength(1);
  const { files } = await state();
  const failed = files.flatMap((file: { state: string; path: string; note: string }) =>
    file.state === "failed" ? [`${file.path}: ${file.note}`] : [],
  );
  expect(failed.toSorted()).toEqual([
    "C:\\win.mp4: its file is empty",
    "dou\u00e9.mp4: another file has the same name in another spelling",
    "etc: a link that leads out of the folder",
    "in.mp4: a link to another file of the folder",
    "out.mp4: a link that leads out of the folder",
    "up\\..\\..\\evil.mp4: its file is empty",
    expect.stringMatching(/^\uFFFD\.mp4: its name isn't valid UTF-8$/),
  ]);
  // No file name can point outside the folder.
  expect(await tree("done")).toContain("done/two\nlines.mp4");
  expect(await tree("failed")).toEqual(
    expect.arrayContaining(["failed/up\\..\\..\\evil.mp4", "failed/C:\\win.mp4"]),
  );
});

it("tries again when the site's disk has space again", async () => {
  await write({ "large.mp4": clip(24) });
  await look();
  rest();
  const { storage } = app.context;
  const original = storage.findFreeBytes;
  storage.findFreeBytes = async () => 1000;
  try {
    await look();
  } finally {
    storage.findFreeBytes = original;
  }
  expect((await state()).files).toEqual([
    expect.objectContaining({ state: "waiting", note: expect.stringContaining("is free") }),
  ]);
  expect(await tree()).toEqual(["large.mp4"]);
  nowMs += 6 * 60_000;
  await look();
  expect(await titled("large")).toHaveLength(1);
});

it("keeps a file while the site's own disk is away", async () => {
  await write({ "patient.mp4": clip(28) });
  await look();
  const { storage } = app.context;
  const original = storage.findFreeBytes;
  storage.findFreeBytes = async () => {
    throw Object.assign(new Error("the disk is away"), { code: "ENOENT" });
  };
  try {
    for (let attempt = 0; attempt < 7; attempt += 1) {
      nowMs += 6 * 60_000;
      await look();
    }
  } finally {
    storage.findFreeBytes = original;
  }
  expect(await state()).toMatchObject({ waiting: 1, failed: 0 });
  nowMs += 6 * 60_000;
  await look();
  expect(await titled("patient")).toHaveLength(1);
});

// Nothing is unreadable for root.
it.skipIf(process.getuid?.() === 0)("refuses files and folders that it can't read", async () => {
  const closed = [join(importDir, "secret.mp4"), join(importDir, "closed")];
  await write({ "secret.mp4": "x", "closed/a.mp4": "x" });
  for (const path of closed) await chmod(path, 0);
  await lookTwice();
  await chmod(join(importDir, "closed"), 0o755);
  const { files } = await state();
  expect(files.map(({ note }: { note: string }) => note).toSorted()).toEqual([
    "can't be read: the server has no permission",
    "secret.mp4: can't be read: the server has no permission",
  ]);
  expect(await tree()).toEqual([...["closed/a.mp4", "failed/secret.mp4", "failed/secret.mp4.txt"]]);
});

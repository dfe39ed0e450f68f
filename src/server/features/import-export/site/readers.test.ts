import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "#test/shared.ts";
import type { ActorsFrom, SourceFormat } from "#contract/videos/site-imports.ts";
import {
  peerTubeFiles,
  peerTubePlaylists,
  peerTubeVideo,
  uuidOf,
  webVtt,
  writeTree,
  writeZip64,
  ytDlpVideo,
  zipOf,
  type FileContents,
} from "./other-sites.fixture.ts";
import { shortUuid } from "./peertube.reader.ts";
import { openSource } from "./read-source.ts";
import { readSmall } from "./source-files.ts";
import { isRefused } from "./source-item.ts";

const now = new Date("2026-06-01T00:00:00Z");

interface ReadOptions {
  from?: SourceFormat;
  actorsFrom?: ActorsFrom;
}

async function readPath(path: string, { from, actorsFrom }: ReadOptions = {}) {
  const source = await openSource(path, {
    from: from ?? null,
    actorsFrom: actorsFrom ?? null,
    now,
  });
  const items = source.entries.flatMap((entry) => (isRefused(entry) ? [] : [entry]));
  const refused = source.entries.flatMap((entry) =>
    isRefused(entry) ? [`${entry.path}: ${entry.reason}`] : [],
  );
  await source.close();
  return { format: source.format, items, refused, source };
}

async function readTree(files: FileContents, options?: ReadOptions) {
  return readPath(await writeTree(makeFolder("source"), files), options);
}

async function readZip(files: FileContents, links: string[] = []) {
  const path = join(makeFolder("zip"), "export.zip");
  await writeFile(path, zipOf(files, { links }));
  return readPath(path);
}

describe("a yt-dlp archive", () => {
  const info = {
    id: "abc",
    extractor_key: "Youtube",
    webpage_url: "https://old.example/view?m=abc",
    title: "short",
    fulltitle: "The full title",
    description: "One\nTwo",
    upload_date: "20200102",
    timestamp: 1_577_923_200,
    tags: ["a", "b,c", "風景、自然"],
    categories: ["Music"],
    chapters: [
      { start_time: 0, end_time: 5, title: "Begin" },
      { start_time: 5, end_time: 9, title: "End" },
    ],
    playlist: "Mix、2020",
    playlist_index: 3,
    view_count: 12,
    like_count: 4,
    age_limit: 18,
    channel: "The channel",
    cast: ["Ada", "Grace"],
    subtitles: { en: [] },
    automatic_captions: { de: [], en: [] },
  };

  it("keeps everything that it describes", async () => {
    const { format, items, refused } = await readTree(
      {
        ...ytDlpVideo("The full title [abc]", info, "video"),
        "The full title [abc].en.vtt": webVtt("hello"),
        "The full title [abc].de.vtt": webVtt("hallo"),
        "The full title [abc].de.srt": "x",
        "The full title [abc].webp": "picture",
        "Mix.info.json": JSON.stringify({ _type: "playlist", id: "PL1" }),
        "Other [x].mp4.part": "incomplete",
      },
      { actorsFrom: "cast" },
    );
    expect(format).toBe("yt-dlp");
    expect(refused).toEqual([]);
    expect(items).toEqual([
      expect.objectContaining({
        source: "youtube",
        sourceId: "abc",
        file: "The full title [abc].mp4",
        title: "The full title",
        description: "One\nTwo",
        publishedAt: new Date("2020-01-02T00:00:00Z"),
        visibility: "public",
        isSensitive: true,
        labels: {
          tags: ["a", "b c", "風景 自然"],
          categories: ["Music"],
          actors: ["Ada", "Grace"],
        },
        chapters: [
          { startS: 0, title: "Begin" },
          { startS: 5, title: "End" },
        ],
        captions: [
          { path: "The full title [abc].en.vtt", language: "en", isAutomatic: false },
          { path: "The full title [abc].de.vtt", language: "de", isAutomatic: true },
        ],
        thumbnail: "The full title [abc].webp",
        views: 12,
        likes: 4,
        oldAddresses: ["https://old.example/view?m=abc"],
        playlists: [{ name: "Mix 2020", place: 3 }],
        notes: [],
      }),
    ]);
  });

  it("uses the channel as an actor on request, and no actor otherwise", async () => {
    const files = ytDlpVideo("a", info, "video");
    const [named] = (await readTree(files, { actorsFrom: "channel" })).items;
    expect(named?.labels.actors).toEqual(["The channel"]);
    expect((await readTree(files)).items[0]?.labels.actors).toEqual([]);
  });

  it("refuses each unusable file in a line and reads the others", async () => {
    const { items, refused } = await readTree({
      ...ytDlpVideo("good", { id: "1", title: "Good" }, "video"),
      ...ytDlpVideo("twice", { id: "1", title: "Twice" }, "video"),
      "broken.mp4": "video",
      "broken.info.json": "{",
      "missing.info.json": JSON.stringify({ id: "2", title: "Missing" }),
      "alone.mp4": "video",
      "stream.f137.mp4": "video",
      "odd.info.json": "[]",
    });
    expect(items.map(({ title }) => title)).toEqual(["Good"]);
    expect(refused.toSorted()).toEqual([
      "alone.mp4: there is no .info.json file beside it",
      "broken.info.json: not valid JSON",
      "missing.info.json: there is no video file beside it",
      "odd.info.json: it doesn't describe a video",
      "stream.f137.mp4: a single stream of a video that wasn't merged",
      "twice.mp4: has the same ID as good.mp4",
    ]);
  });

  it("repairs titles, dates, names and counts, and says so", async () => {
    const read = async (about: object) => {
      const { items } = await readTree(ytDlpVideo("some_name", { id: "1", ...about }, "video"));
      return items[0];
    };
    const long = await read({ title: "ü".repeat(300) });
    expect(long?.title).toBe("ü".repeat(200));
    expect(long?.notes).toEqual(["title cut to 200 characters"]);
    const none = await read({ title: "\u200b\n", timestamp: 0, view_count: -5 });
    expect(none).toMatchObject({ title: "some name", publishedAt: null, views: 0 });
    expect(none?.notes).toEqual([
      "no title, so the name of the file is used",
      "publication date not used (1970)",
    ]);
    const late = await read({ title: "a", timestamp: Date.UTC(2087, 1) / 1000, tags: ["x", 5] });
    expect(late).toMatchObject({ publishedAt: null, labels: { tags: [] } });
    expect(late?.notes).toEqual(["publication date not used (2087)"]);
  });

  it("reads captions to which their creator gave a name, and notes unknown languages", async () => {
    const about = {
      subtitles: {
        "en-ehkg1hFWq8A": [{ name: "English - Commentary" }],
        "en-nP7-2PuUl7o": [{ name: "\u200b" }],
      },
      automatic_captions: { "en-orig": [{ name: "English (Original)" }], en: [] },
    };
    const { items } = await readTree({
      ...ytDlpVideo("a", { id: "1", title: "a", ...about }, "video"),
      ...Object.fromEntries(
        ["en-ehkg1hFWq8A", "en-nP7-2PuUl7o", "en-orig", "en", "commentary"].map((key) => [
          `a.${key}.vtt`,
          webVtt("x"),
        ]),
      ),
      "a.vtt": webVtt("names no language"),
      "a.b.en.vtt": webVtt("belongs to another video"),
    });
    expect(items[0]?.captions).toEqual([
      { path: "a.commentary.vtt", language: "commentary", isAutomatic: false },
      { path: "a.vtt", language: "", isAutomatic: false },
      {
        path: "a.en-ehkg1hFWq8A.vtt",
        language: "en",
        name: "English - Commentary",
        isAutomatic: false,
      },
      { path: "a.en-nP7-2PuUl7o.vtt", language: "en", isAutomatic: false },
      { path: "a.en-orig.vtt", language: "en", isAutomatic: true },
      { path: "a.en.vtt", language: "en", isAutomatic: true },
    ]);
    expect(items[0]?.notes).toEqual(["captions commentary have no valid language"]);
  });

  it("puts uploaded captions first, because the number of tracks is limited", async () => {
    const letters = [..."abcdefghijklmnopqrst"];
    const automatic = letters.flatMap((letter) => [`${letter}a`, `${letter}b`]);
    const keys = [...automatic, "zz-orig", "es"];
    const about = {
      subtitles: { es: [] },
      automatic_captions: Object.fromEntries([...automatic, "zz-orig"].map((key) => [key, []])),
    };
    const { items } = await readTree({
      ...ytDlpVideo("a", { id: "1", title: "a", ...about }, "video"),
      ...Object.fromEntries(keys.map((key) => [`a.${key}.vtt`, webVtt("x")])),
    });
    const languages = items[0]?.captions.map(({ language }) => language) ?? [];
    expect(languages.slice(0, 3)).toEqual(["es", "zz", "aa"]);
    expect(languages).toHaveLength(42);
  });

  it.each([
    [null, 0, "public"],
    ["public", 18, "public"],
    ["unlisted", 0, "unlisted"],
    ["private", 18, "private"],
    ["premium_only", 18, "private"],
    ["subscriber_only", 0, "private"],
    ["needs_auth", 0, "private"],
    ["needs_auth", 16, "private"],
    ["needs_auth", 18, "unlisted"],
  ])(
    "makes a video with availability %s and age limit %i %s",
    async (availability, age, expected) => {
      const about = { id: "1", title: "a", availability, age_limit: age };
      const { items } = await readTree(ytDlpVideo("a", about, "video"));
      expect(items[0]?.visibility).toBe(expected);
      expect(items[0]?.notes).toEqual(
        availability === "needs_auth" && age === 18
          ? ["age-restricted there, so public or unlisted isn't known"]
          : [],
      );
    },
  );

  it("finds files whose names are in decomposed form", async () => {
    const { items, refused } = await readTree({
      "Caf\u0065\u0301.mp4": "video",
      "Caf\u00e9.info.json": JSON.stringify({ id: "1", title: "Cafe\u0301", ext: "mp4" }),
      "Cafe\u0301.en.vtt": webVtt("x"),
    });
    expect(refused).toEqual([]);
    expect(items[0]).toMatchObject({ title: "Caf\u00e9", file: "Caf\u00e9.mp4" });
    expect(items[0]?.captions).toHaveLength(1);
  });
});

describe("a PeerTube export", () => {
  const full = peerTubeVideo(1, {
    description: "About",
    nsfw: true,
    privacy: 2,
    chapters: [
      { timecode: 0, title: "A" },
      { timecode: 1, title: "B" },
    ],
    captions: [{ language: "fr", automaticallyGenerated: true }],
    archiveFiles: {
      videoFile: `../files/videos/video-files/${uuidOf(1)}.mp4`,
      thumbnail: `../files/videos/thumbnails/${uuidOf(1)}.jpg`,
      captions: { fr: `../files/videos/captions/${uuidOf(1)}-fr.vtt`, de: "../files/none.vtt" },
    },
  });
  const files: FileContents = {
    ...peerTubeFiles([full], () => "video"),
    [`files/videos/captions/${uuidOf(1)}-fr.vtt`]: webVtt("bonjour"),
    ...peerTubePlaylists([["Best of", 1, full.url]]),
  };

  it.each(["unpacked", "as an archive"])("is read %s", async (kind) => {
    const { format, items, refused } =
      kind === "unpacked" ? await readTree(files) : await readZip(files);
    expect(format).toBe("peertube");
    expect(refused).toEqual([]);
    expect(items).toEqual([
      expect.objectContaining({
        source: "peertube",
        sourceId: uuidOf(1),
        title: "Video 1",
        visibility: "unlisted",
        isSensitive: true,
        publishedAt: new Date("2021-05-06T07:08:09Z"),
        labels: { tags: ["old"], categories: ["Education"], actors: [] },
        chapters: [
          { startS: 0, title: "A" },
          { startS: 1, title: "B" },
        ],
        captions: [
          {
            path: `files/videos/captions/${uuidOf(1)}-fr.vtt`,
            language: "fr",
            isAutomatic: true,
          },
        ],
        playlists: [{ name: "Best of", place: 1 }],
        notes: ["thumbnail missing", "captions in de missing"],
      }),
    ]);
    expect(items[0]?.oldAddresses).toContain(`/w/${shortUuid(uuidOf(1))}`);
  });

  it("leaves out private playlists with a note, and the list of videos to watch later", async () => {
    const { items } = await readTree({
      ...peerTubeFiles([full], () => "video"),
      ...peerTubePlaylists([
        ["Listed", 1, "https://old.example/videos/watch/other", full.url],
        ["By link", 2, full.url],
        ["Secret", 3, full.url],
        ["Plus tard", "later", full.url],
      ]),
    });
    expect(items[0]?.playlists).toEqual([
      { name: "Listed", place: 2 },
      { name: "By link", place: 1 },
    ]);
    expect(items[0]?.notes).toContain('private playlist "Secret" left out');
    expect(items[0]?.notes.join("; ")).not.toContain("Plus tard");
  });

  it("uses the names of channels that visitors saw", async () => {
    const video = peerTubeVideo(1, { channel: { name: "ada_channel" } });
    const tree = peerTubeFiles([video], () => "video");
    const named = {
      ...tree,
      "peertube/channels.json": JSON.stringify({
        channels: [{ name: "ada_channel", displayName: "Ada's films" }],
      }),
    };
    for (const [files, name] of [
      [named, "Ada's films"],
      [tree, "ada_channel"],
    ] as const) {
      const { items } = await readTree(files, { actorsFrom: "channel" });
      expect(items[0]?.labels.actors).toEqual([name]);
    }
  });

  it("reports other files that can't be read in a line each, and reads the videos", async () => {
    const { items, refused } = await readTree({
      ...peerTubeFiles([full], () => "video"),
      "peertube/channels.json": "{",
      "peertube/video-playlists.json": JSON.stringify({ playlists: [] }),
    });
    expect(items).toHaveLength(1);
    expect(refused).toEqual([
      "peertube/channels.json: can't be read, so it isn't used",
      "peertube/video-playlists.json: can't be read, so it isn't used",
    ]);
  });

  it("refuses videos without a file and paths out of the export", async () => {
    const { items, refused } = await readTree({
      ...peerTubeFiles([peerTubeVideo(1)], () => "video"),
      "peertube/videos.json": JSON.stringify({
        videos: [
          peerTubeVideo(1),
          peerTubeVideo(2),
          peerTubeVideo(3, { archiveFiles: { videoFile: "../../../etc/passwd" } }),
          peerTubeVideo(4, { archiveFiles: null }),
          { name: "no id" },
        ],
      }),
    });
    expect(items).toHaveLength(1);
    expect(refused).toEqual([
      `Video 2: its file ../files/videos/video-files/${uuidOf(2)}.mp4 is missing`,
      "Video 3: ../../../etc/passwd: leads out of the folder",
      "Video 4: exported without its file, so there is nothing to import",
      "peertube/videos.json video 5: it has no valid uuid",
    ]);
  });

  it("writes short IDs like PeerTube", () => {
    expect(shortUuid("00000000-0000-4000-8000-000000000000")).toHaveLength(22);
    expect(shortUuid("9b2ea8ee-8d4c-4b1f-8f3a-000000000001")).not.toBe(
      shortUuid("9b2ea8ee-8d4c-4b1f-8f3a-000000000002"),
    );
    // 58 is "21" in base 58, whose digits start at 1.
    expect(shortUuid("00000000-0000-0000-0000-00000000003a")).toBe("1111111111111111111121");
  });
});

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

it("refuses a path where nothing is, and a folder without videos", async () => {
  await expect(readPath("/nowhere/at/all")).rejects.toThrow("there is no such folder or file");
  await expect(readTree({ "a.txt": "x" })).rejects.toThrow("There are no videos in it");
});

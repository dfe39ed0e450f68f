import { describe, expect, it } from "vitest";
import { readTree, webVtt, ytDlpVideo } from "./other-sites.fixture.ts";

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

  it("distinguishes videos of an unknown site by URL", async () => {
    const long = `https://old.example/watch_video.php?list=${"a".repeat(500)}&v=`;
    const video = (name: string, about: object) =>
      ytDlpVideo(name, { id: "watch_video", title: name, ...about }, "video");
    const { items, refused } = await readTree({
      ...video("a", { extractor_key: "Generic", webpage_url: "https://old.example/watch?v=1" }),
      ...video("b", { extractor_key: "Generic", webpage_url: "https://old.example/watch?v=2" }),
      ...video("c", { extractor_key: "HTML5MediaEmbed", webpage_url: `${long}1` }),
      ...video("d", { extractor_key: "HTML5MediaEmbed", webpage_url: `${long}2` }),
      ...video("e", { extractor_key: "Generic" }),
    });
    expect(refused).toEqual([]);
    expect(items.map(({ sourceId }) => sourceId)).toEqual([
      "watch_video (https://old.example/watch?v=1)",
      "watch_video (https://old.example/watch?v=2)",
      ...[items[2]?.sourceId, items[3]?.sourceId],
      "watch_video",
    ]);
    expect(items[2]?.sourceId).toHaveLength(500);
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
      "missing.info.json: its video file is missing",
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
          ? ["age-restricted at the source, so its visibility is unknown"]
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

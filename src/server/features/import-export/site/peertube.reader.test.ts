import { describe, expect, it } from "vitest";
import {
  type FileContents,
  peerTubeFiles,
  peerTubePlaylists,
  peerTubeVideo,
  readTree,
  readZip,
  uuidOf,
  webVtt,
} from "./other-sites.fixture.ts";
import { shortUuid } from "./peertube.reader.ts";

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

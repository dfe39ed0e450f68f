import { createRequire } from "node:module";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { corpusPath, hasCorpusVideos } from "#server/media/corpus-videos.fixture.ts";
import { createTestMedia, type TestMedia } from "#server/media/media.fixture.ts";
import { runProcess } from "#server/media/pipeline/process-run.fixture.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { sampleVideos } from "#test/sample-videos.ts";
import { openVisitor } from "../support/browser.ts";
import { serveFolder } from "../support/folder-server.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const shaka = createRequire(import.meta.url).resolve("shaka-player/dist/shaka-player.compiled.js");

/** Page that plays every variant of a ladder from the beginning to the end, one after the other. */
const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<video muted playsinline></video>
<script src="/shaka.js"></script>
<script>
async function playAll(url) {
  const video = document.querySelector("video");
  const played = [];
  for (let at = 0, count = 1; at < count; at += 1) {
    const player = new shaka.Player();
    await player.attach(video);
    player.configure({ abr: { enabled: false } });
    let failure = null;
    player.addEventListener("error", ({ detail }) => {
      failure = "shaka " + detail.code + " " + JSON.stringify(detail.data).slice(0, 300);
    });
    try {
      await player.load(url);
      const tracks = player.getVariantTracks().sort((a, b) => b.height - a.height || a.id - b.id);
      count = tracks.length;
      player.selectVariantTrack(tracks[at], true);
      video.playbackRate = 4;
      await video.play();
      const deadline = Date.now() + 90_000;
      while (!video.ended && failure === null && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const { height } = tracks[at];
      played.push({ height, shown: video.videoHeight, isEnded: video.ended, failure });
    } catch (error) {
      played.push({ height: 0, shown: 0, isEnded: false, failure: String(error.code ?? error) });
    }
    await player.destroy();
  }
  return played;
}
</script>`;

const playedSchema = z.array(
  z.object({
    height: z.number(),
    shown: z.number(),
    isEnded: z.boolean(),
    failure: z.string().nullable(),
  }),
);

const samples = Object.entries(sampleVideos).map(
  ([name, { make }]) => [name, make] satisfies [string, () => Promise<string>],
);
const corpus: [string, () => Promise<string>][] = hasCorpusVideos
  ? [
      ["rotate-buck-bunny.mp4", async () => corpusPath("rotate-buck-bunny.mp4")],
      ["bear-vp9-odd-dimensions.webm", async () => corpusPath("bear-vp9-odd-dimensions.webm")],
      // Only two of the five segments.
      [
        "video-h265.mp4",
        () => encodeClip("h265.mp4", ["-i", corpusPath("video-h265.mp4"), "-t", "3", "-c", "copy"]),
      ],
    ]
  : [];

test.each([...samples, ...corpus])(
  "plays every rendition of %s to its end with Shaka Player",
  async (name, make) => {
    const workDir = path.join(at.folder, name);
    const run = await runProcess(at, await make(), {
      workDir,
      done: new Set(["playable", "captions", "pictures", "extras"] as const),
      normalizesLoudness: false,
      ladderCrf: 28,
    });
    expect(run.result.problems).toEqual([]);
    const master = await readFile(run.one("hls_master").path, "utf8");
    const heights = Array.from(master.matchAll(/RESOLUTION=\d+x(\d+)/g), ([, text]) =>
      Number(text),
    );
    await using server = await serveFolder(workDir, {
      files: { "/shaka.js": shaka },
      pages: { "/": page },
    });
    await using visitor = await openVisitor(server.url, { playsNext: true });
    await visitor.page.goto("/");
    const played = playedSchema.parse(await visitor.page.evaluate("playAll('/hls/master.m3u8')"));
    expect(played.filter(({ isEnded, failure }) => !isEnded || failure !== null)).toEqual([]);
    const shown = new Set(played.map((each) => each.shown));
    expect([...shown].toSorted((a, b) => b - a)).toEqual(heights.toSorted((a, b) => b - a));
    await rm(workDir, { recursive: true, force: true });
  },
);

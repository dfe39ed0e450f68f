import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import type { ProcessRun } from "#server/media/pipeline/process-run.fixture.ts";
import { openVisitor } from "./browser.ts";
import { serveFolder } from "./folder-server.ts";

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

/** Plays every rendition of a processed video to its end with Shaka Player. */
export async function expectPlayedByShaka(run: ProcessRun): Promise<void> {
  expect(run.result.problems).toEqual([]);
  const master = run.one("hls_master").path;
  const heights = Array.from(
    (await readFile(master, "utf8")).matchAll(/RESOLUTION=\d+x(\d+)/g),
    ([, text]) => Number(text),
  );
  await using server = await serveFolder(path.dirname(master), {
    files: { "/shaka.js": shaka },
    pages: { "/": page },
  });
  await using visitor = await openVisitor(server.url, { playsNext: true });
  await visitor.page.goto("/");
  const played = playedSchema.parse(
    await visitor.page.evaluate(`playAll('/${path.basename(master)}')`),
  );
  expect(played.filter(({ isEnded, failure }) => !isEnded || failure !== null)).toEqual([]);
  const shown = new Set(played.map((each) => each.shown));
  expect([...shown].toSorted((x, y) => y - x)).toEqual(heights.toSorted((x, y) => y - x));
}

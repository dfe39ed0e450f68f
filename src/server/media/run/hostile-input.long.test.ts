import { spawn } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { refusedSamples } from "#test/refused-samples.ts";
import { sampleVideos } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { guardInput, guardProbe } from "../facts/input-guards.ts";
import { quickArgs } from "../plan/playable.ts";
import { maxRssBytes, planLimits, probeLimits } from "../facts/process-limits.ts";
import { planQuickRung } from "../plan/rungs.ts";
import { isOverLimits, MediaProcessError } from "./media-process-error.ts";

let at: TestMedia;
let canary = "";
let calls = 0;
const server = createServer((_, response) => {
  calls += 1;
  response.end("#EXTM3U\n");
});

beforeAll(async () => {
  at = await createTestMedia();
  canary = path.join(at.folder, "canary.mp4");
  await copyFile(await sampleVideos.plain.make(), canary);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
  await at.remove();
});

function serverUrl(): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the canary is down");
  return `http://127.0.0.1:${address.port}/playlist.m3u8`;
}

/** Returns scripts that refer to another file or address. */
function hostileFiles(): Record<string, string> {
  const hls = (uri: string): string =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1.0,\n${uri}\n#EXT-X-ENDLIST\n`;
  return {
    "hls-file.mp4": hls(`file://${canary}`),
    "hls-http.mp4": hls(serverUrl()),
    "ffconcat.mp4": `ffconcat version 1.0\nfile ${path.basename(canary)}\n`,
  };
}

/** Probes without guards and outside the sandbox, to show what the guards prevent. */
async function probeUnguarded(file: string): Promise<number | null> {
  const args = ["-v", "quiet", "-show_streams", "-protocol_whitelist", "file,http,tcp", "-i", file];
  const { ffprobe } = at.media.report.paths;
  return new Promise((resolve) => {
    spawn(ffprobe, args, { stdio: "ignore" }).on("exit", (code) => resolve(code));
  });
}

test("opens other files if there are no guards", async () => {
  const before = calls;
  for (const [name, text] of Object.entries(hostileFiles())) {
    await writeFile(path.join(at.folder, name), text);
  }
  expect(await probeUnguarded(path.join(at.folder, "ffconcat.mp4"))).toBe(0);
  await probeUnguarded(path.join(at.folder, "hls-http.mp4"));
  expect(calls).toBeGreaterThan(before);
});

test("opens nothing with guards, even without a check of the first bytes", async () => {
  const before = calls;
  const { tools, emptyDir } = at.media.pipeline;
  for (const [name, text] of Object.entries(hostileFiles())) {
    const file = path.join(at.folder, name);
    await writeFile(file, text);
    for (const container of ["mov", "matroska", "avi"] as const) {
      const result = await tools.ffprobe({
        name: "hostile",
        args: ["-show_streams", "-of", "json", ...guardProbe(container, file)],
        cwd: emptyDir,
        // Visible here despite the sandbox, to test the guards alone.
        inputs: [file, canary],
        limits: probeLimits,
      });
      expect(result.exitCode, `${name} as ${container}`).not.toBe(0);
      const output = path.join(at.folder, "out.mp4");
      await expect(
        tools.ffmpeg({
          name: "hostile",
          args: [...guardInput(container, file), "-c", "copy", output],
          cwd: emptyDir,
          inputs: [file, canary],
          outputDir: at.folder,
          limits: probeLimits,
        }),
      ).rejects.toThrow();
    }
    await expect(at.media.probe(file)).rejects.toMatchObject({ code: "unsupported_media" });
  }
  expect(calls).toBe(before);
});

const hostileSamples = refusedSamples.filter(
  ({ title, code }) => code === "unsupported_media" || title.startsWith("16000"),
);

test.each(hostileSamples)(
  "stops $title below the memory limit with only the guards",
  async (sample) => {
    const file = await sample.make();
    const result = await at.media.pipeline.tools.ffprobe({
      name: "hostile",
      args: ["-show_frames", ...guardProbe("mov", file)],
      cwd: at.media.pipeline.emptyDir,
      inputs: [file],
      limits: probeLimits,
    });
    expect(result.usage.peakRssBytes).toBeLessThan(maxRssBytes);
    expect(result.exitCode).not.toBe(0);
  },
);

test("stays below the memory limit with a small file of large pictures", async () => {
  const file = await encodeClip("large.mp4", [
    ...["-f", "lavfi", "-i", "color=gray:s=6400x5376:r=20:d=0.8", "-pix_fmt", "yuv420p"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-bf", "2"],
  ]);
  const { pipeline } = at.media;
  const facts = await at.media.probe(file);
  const fps = facts.video.fps;
  const rung = planQuickRung(facts.video.width, facts.video.height, 20);
  const usage = await pipeline.tools
    .ffmpeg({
      name: "large",
      args: quickArgs(
        facts,
        file,
        { rung, fps, threads: 2, abilities: pipeline.report },
        path.join(at.folder, "large-out.mp4"),
      ),
      cwd: pipeline.emptyDir,
      inputs: [file],
      outputDir: at.folder,
      limits: planLimits(facts, { decodedS: 1, encodedRungs: 1, threads: 2 }),
    })
    .then(
      (result) => result.usage,
      (error: unknown) => {
        if (!(error instanceof MediaProcessError)) throw error;
        expect(isOverLimits(error.result)).toBe(true);
        return error.result.usage;
      },
    );
  expect(usage.peakRssBytes).toBeGreaterThan(300e6);
  expect(usage.peakRssBytes).toBeLessThan(maxRssBytes * 1.1);
});

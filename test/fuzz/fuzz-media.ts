import { readdir, readFile, readlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { errorStatus } from "#contract/errors.ts";
import { maxRssBytes } from "#server/media/facts/process-limits.ts";
import { createClient } from "../app.ts";
import { listArchiveSamples } from "../archive-samples.ts";
import { listDescendants } from "../harness/process-tree.ts";
import { startSite, type Site } from "../harness/server-process.ts";
import { listSampleVideos } from "../sample-videos.ts";
import { makeMutation, type Sample } from "./mutate.ts";

type Client = ReturnType<typeof createClient>;
/** Milliseconds after which a video or a leftover counts as hanging. */
const patienceMs = 5_400_000;
const pollMs = 100;

/** Internal details that mean nothing to someone who uploads a file. */
const inside: readonly RegExp[] = [
  /\b(undefined|null|NaN|\[object|Error|E[A-Z]{4,}|SIG[A-Z]+)\b|\/(tmp|proc|home|dev|usr)\//,
  /\b(ffmpeg|ffprobe|stderr|exit code|spawn)\b/i,
  // Escaped bytes in ffprobe's output.
  /\[\d+\]|[\0-\u0008\u000b-\u001f\ufffd]/,
];
/** @returns what is wrong with messages for users. */
function judgeTexts(texts: readonly string[]): string[] {
  const isSentence = (text: string) => /^\p{Lu}.{0,400}[.!]$/su.test(text);
  return texts
    .filter((text) => !isSentence(text) || inside.some((pattern) => pattern.test(text)))
    .map((text) => `not for people: ${JSON.stringify(text.slice(0, 200))}`);
}

/** Lists small files of every container and codec that this ffmpeg can write. */
async function listSamples(): Promise<Sample[]> {
  const quick = (await listSampleVideos()).filter(({ durationS }) => durationS <= 4);
  const samples: Sample[] = [];
  for (const { title, make } of [...quick, ...(await listArchiveSamples())]) {
    const file = await make();
    samples.push({ title, fileName: basename(file), bytes: await readFile(file) });
  }
  // Larger files would only take longer to decode.
  return samples.filter(({ bytes }) => bytes.length <= 600_000);
}

/** Returns stored files, open files and programs of a site, which uploads must not change. */
async function readTraces({ pid, dataDir }: Site): Promise<string[]> {
  const storage = join(dataDir, "storage");
  const stored = await readdir(storage, { recursive: true, withFileTypes: true });
  const open = (await readdir(`/proc/${pid}/fd`)).map((name) =>
    readlink(`/proc/${pid}/fd/${name}`).catch(() => ""),
  );
  const programs = await listDescendants(pid);
  return [
    ...stored.filter((entry) => !entry.isDirectory()).map(({ name }) => `file ${name}`),
    ...(await Promise.all(open)).filter((path) => path.startsWith(storage)),
    ...programs.filter(({ name }) => name !== "postgres").map(({ command }) => command),
  ];
}

/**
 * Waits until a video plays, or until it is complete.
 * @param suspects contains the video while its next attempt waits for a moment without other work,
 *   which takes up to an hour.
 * @returns what is wrong with it.
 */
async function follow(
  client: Client,
  id: string,
  { isComplete, suspects }: { isComplete: boolean; suspects: Set<string> },
): Promise<string[]> {
  const until = performance.now() + patienceMs;
  for (; ; await wait(pollMs)) {
    const { json: video } = await client.call("GET", `/api/videos/${id}`);
    const isOver = video.status === "failed" || (video.failureReason ?? null) !== null;
    if (isOver && video.status === "processing") suspects.add(id);
    const isReady = video.status === "ready" && (!isComplete || video.progress === 1);
    if (performance.now() > until) return [`no end of ${JSON.stringify(video)}`];
    if (video.status === "processing" || !(isOver || isReady)) continue;
    const reasons = isOver ? [video.failureReason ?? ""] : [];
    const problems = judgeTexts([...(video.mediaNotices ?? []), ...reasons]);
    if (video.status === "failed") return problems;
    const { status } = await client.call("GET", video.videoUrl);
    if (status !== 200) problems.push(`what plays gives ${status}`);
    if (!(video.duration > 0)) problems.push(`ready with a duration of ${video.duration}`);
    return problems;
  }
}

/**
 * Defines a test that uploads, follows and removes damaged files. `KINORA_FUZZ_SEED`,
 * `KINORA_FUZZ_RUNS` and `KINORA_FUZZ_FROM` replace the seed, the number of files and the number of
 * the first one. The same seed and number create the same file.
 * @param followEvery every n-th accepted file is followed until it plays. Others are removed at once.
 */
export function fuzzMedia(usualFiles: number, usualSeed: number, followEvery: number): void {
  const { env } = process;
  const seed = Number(env["KINORA_FUZZ_SEED"] ?? usualSeed);
  const files = Number(env["KINORA_FUZZ_RUNS"] ?? usualFiles);
  const from = Number(env["KINORA_FUZZ_FROM"] ?? 0);
  const counts = { refused: 0, accepted: 0 };
  const logged: string[] = [];
  const suspects = new Set<string>();
  let site: Site;
  let client: Client;
  beforeAll(async () => {
    // Write limits would hide results. The debug level logs every run of a tool.
    const siteEnv = { WRITE_LIMITS: "0", LOG_LEVEL: "debug" };
    site = await startSite({ env: siteEnv, onOutput: (text) => logged.push(text) });
    client = createClient(site.url, await site.signIn());
    await client.call("POST", "/api/settings", { trashDays: 0 });
  });
  afterAll(() => site?.stop());

  /** @returns what is wrong with the responses to one file. */
  async function tryFile(number: number, file: Sample): Promise<string[]> {
    const form = new FormData();
    form.set("title", file.title);
    form.set("video", new Blob([new Uint8Array(file.bytes)]), file.fileName);
    const { status, json, text } = await client.call("POST", "/api/videos", form);
    if (status === errorStatus.unavailable) {
      // The server is too busy to examine the file.
      await wait(pollMs);
      return tryFile(number, file);
    }
    if (status !== 201) {
      counts.refused += 1;
      const expected = ["415 unsupported_media", "422 unusable_video"];
      const isExpected = expected.includes(`${status} ${json.code}`);
      return isExpected ? judgeTexts([json.message]) : [`status ${status}: ${text}`];
    }
    counts.accepted += 1;
    const isComplete = number % (followEvery * 6) === 0;
    const problems =
      number % followEvery > 0
        ? []
        : await follow(client, json.id, { isComplete, suspects }).finally(() =>
            suspects.delete(json.id),
          );
    const removal = await client.call("DELETE", `/api/videos/${json.id}`);
    return removal.status === 204 ? problems : [...problems, `the removal gives ${removal.status}`];
  }

  // The test reads processes and files from /proc.
  it.runIf(process.platform === "linux")(
    "refuses or plays damaged files with user-friendly messages, and leaves nothing",
    async () => {
      const samples = await listSamples();
      const before = await readTraces(site);
      const defects: string[] = [];
      const numbers = Array.from({ length: files }, (_, index) => from + index).values();
      const lane = async () => {
        for (const number of numbers) {
          while (suspects.size > 0) await wait(pollMs);
          const file = makeMutation(samples, seed, number);
          const problems = await tryFile(number, file).catch((error) => [String(error)]);
          for (const problem of problems)
            defects.push(`${seed}.${number}, ${file.title}: ${problem}`);
        }
      };
      await Promise.all([lane(), lane(), lane()]);
      expect(defects).toEqual([]);
      if (files >= 25)
        expect(Math.min(counts.refused, counts.accepted)).toBeGreaterThan(files / 10);
      expect((await client.call("GET", "/readyz")).status).toBe(200);
      // Some work ends a moment after its video.
      await expect
        .poll(async () => (await readTraces(site)).filter((trace) => !before.includes(trace)), {
          timeout: patienceMs,
        })
        .toEqual([]);
      const lines = logged.join("").match(/^\{.*\}$/gm) ?? [];
      const bad = lines.filter((line) => {
        const { level, peakRssBytes = 0 } = JSON.parse(line);
        // The limit is only checked several times a second.
        return /error|fatal/.test(level) || peakRssBytes > maxRssBytes * 1.1;
      });
      expect(bad).toEqual([]);
    },
    6 * 3_600_000,
  );
}

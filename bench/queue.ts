import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { z } from "zod";
import { removeData, startSite, type Site } from "#test/harness/server-process.ts";
import { seedSite } from "./seed.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { readCpuTimes, type CpuTimes } from "./support/cpu-times.ts";
import { pacedLoad, type PacedResult } from "./support/paced-load.ts";
import { uploadFile } from "./support/upload-file.ts";

const exec = promisify(execFile);
const ffmpeg = process.env["FFMPEG_PATH"] ?? "ffmpeg";

/**
 * Lengths in seconds of the clips that are copied (each in 720p and 1080p). Below them, the lengths
 * of those that are encoded.
 */
const copiedS = [4, 6, 8, 10, 12, 15, 20, 25, 30, 60];
const encodedS = [3, 5, 8, 10, 15, 20, 25, 30, 45, 60];
/** Seconds of each measured round. The slowest round counts. */
const turnS = 5;
const requestsPerS = 20;
const everyMs = 100;

interface Clip {
  path: string;
  isCopied: boolean;
}

interface Playable extends Clip {
  /** Measured from the last byte of the upload. */
  ms: number;
  /** Measured from the response to the upload. */
  respondedMs: number;
}

const list = z.object({
  videos: z.array(
    z.object({ id: z.string(), status: z.string(), failureReason: z.string().nullish() }),
  ),
});

/**
 * Uploads clips of mixed length at the same time. Measures when each one plays and how fast lists
 * are served meanwhile. `npm run bench -- queue [--lengths 10]`: a smaller number uses only the
 * shortest files, for a quick look.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: { lengths: { type: "string", default: `${copiedS.length}` } },
  });
  const lengths = Number(values.lengths);
  if (!(lengths >= 1 && lengths <= copiedS.length)) throw new Error("--lengths takes 1 to 10");
  const folder = await mkdtemp(join(tmpdir(), "kinora-bench-queue-"));
  const dataDir = join(folder, "data");
  try {
    const clips = await makeClips(folder, lengths);
    const plainMs = await makePlainly(clips, folder);
    await seedSite({ DATA_DIR: dataDir }, { videos: 5000, watches: 20_000, seed: 1 });
    const site = await startSite({ dataDir, env: { WRITE_LIMITS: "0" } });
    try {
      const measured = await measure(site, clips);
      return tableOf({ ...measured, plainMs, isPartial: lengths < copiedS.length });
    } finally {
      await site.stop();
    }
  } finally {
    await removeData(dataDir);
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(site: Site, clips: readonly Clip[]) {
  const cookie = await site.signIn();
  const lists: PacedResult[] = [];
  let isOver = false;
  const load = (async () => {
    while (!isOver) lists.push(await loadLists(site));
  })();
  try {
    // Warms up the server, so that first-request work isn't measured.
    await wait(turnS * 1000);
    lists.length = 0;
    return { ...(await uploadAll(site, cookie, clips)), lists };
  } finally {
    isOver = true;
    await load;
  }
}

const loadLists = (site: Site): Promise<PacedResult> =>
  pacedLoad(site.url, {
    requests: Array.from({ length: 200 }, (_, at) => ({
      method: "GET" as const,
      path: [
        `/api/videos?limit=24&page=${1 + (at % 40)}`,
        `/api/videos?limit=24&sort=most_viewed&page=${1 + (at % 40)}`,
        `/api/videos?limit=24&search=${["morning", "river", "quiet", "lisbon"][at % 4]}&page=${1 + (at % 9)}`,
        `/home?page=${1 + (at % 20)}`,
      ][at % 4] as string,
    })),
    perS: requestsPerS,
    seconds: turnS,
    connections: 8,
  });

async function uploadAll(
  site: Site,
  cookie: string,
  clips: readonly Clip[],
): Promise<{ playable: Playable[]; copiesCpu: CpuTimes }> {
  const playsAt = new Map<string, number>();
  const before = await readCpuTimes(site.pid);
  let copiesLeft = clips.filter(({ isCopied }) => isCopied).length;
  let copiesCpu: CpuTimes = before;
  const watched = new AbortController();
  const watching = (async () => {
    while (!watched.signal.aborted) {
      // The newest videos are the uploads.
      const path = `/api/videos?limit=${clips.length}`;
      const response = await fetch(site.url + path, { headers: { cookie } });
      const now = performance.now();
      for (const video of list.parse(await response.json()).videos) {
        if (video.status === "failed") throw new Error(String(video.failureReason));
        if (video.status === "ready" && !playsAt.has(video.id)) playsAt.set(video.id, now);
      }
      await wait(everyMs);
    }
  })();
  try {
    const made = await Promise.all(
      clips.map(async (clip) => {
        const { id, sentAt, respondedAt } = await uploadFile(
          site,
          cookie,
          clip.path,
          basename(clip.path),
        );
        for (;;) {
          const at = playsAt.get(id);
          if (at !== undefined) {
            copiesLeft -= clip.isCopied ? 1 : 0;
            if (clip.isCopied && copiesLeft === 0) copiesCpu = await readCpuTimes(site.pid, before);
            return { ...clip, ms: at - sentAt, respondedMs: Math.max(0, at - respondedAt) };
          }
          await Promise.race([wait(everyMs), watching]);
        }
      }),
    );
    return { playable: made, copiesCpu };
  } finally {
    watched.abort();
    await watching;
  }
}

function tableOf(more: {
  playable: readonly Playable[];
  copiesCpu: CpuTimes;
  lists: readonly PacedResult[];
  plainMs: number[];
  isPartial: boolean;
}): BenchTable {
  const sortedMs = (isCopied: boolean, by: "ms" | "respondedMs" = "ms") =>
    more.playable
      .filter((each) => each.isCopied === isCopied)
      .map((each) => each[by])
      .toSorted((a, b) => a - b);
  const copies = sortedMs(true);
  const encodes = sortedMs(false);
  const sinceResponse = {
    copies: sortedMs(true, "respondedMs"),
    encodes: sortedMs(false, "respondedMs"),
  };
  const cpu = more.copiesCpu;
  const s = (ms: number) => Math.round(ms / 100) / 10;
  const failures = more.lists.reduce((sum, each) => sum + each.failures, 0);
  return {
    title: "Many uploads at once",
    columns: ["what", "from the last byte", "from the response", "reference", "unit"],
    rows: [
      [
        `slowest of ${copies.length} copies`,
        s(Math.max(...copies)),
        s(Math.max(...sinceResponse.copies)),
        "limit 5",
        "s",
      ],
      ["median copy", s(medianOf(copies)), s(medianOf(sinceResponse.copies)), "-", "s"],
      [
        `median of ${encodes.length} encodes`,
        s(medianOf(encodes)),
        s(medianOf(sinceResponse.encodes)),
        s(medianOf(more.plainMs)),
        "s",
      ],
      [
        "slowest encode",
        s(Math.max(...encodes)),
        s(Math.max(...sinceResponse.encodes)),
        s(Math.max(...more.plainMs)),
        "s",
      ],
      [
        "processor time of the machine until the last copy plays",
        s(1000 * cpu.machineS),
        "-",
        "-",
        "s",
      ],
      ["- of it the server's own", s(1000 * cpu.serverS), "-", "-", "s"],
      ["- of it the senders' and of this bench", s(1000 * cpu.benchS), "-", "-", "s"],
      [
        "lists and pages meanwhile, slowest p95",
        Math.round(Math.max(...more.lists.map(({ p95Ms }) => p95Ms))),
        "-",
        "limit 100",
        "ms",
      ],
      ["failed requests", failures, "-", "0", ""],
    ],
    isPartial: more.isPartial,
    notes: [
      "The limit counts from the last byte, when a sender has given it to the system: the response, which waits for the probe, is part of it.",
      "All are sent at once by forms, each with a title of its own. Copies: H.264 and AAC, 4 to 60 s, in 720p and 1080p. Encodes: MPEG-4 Part 2 and MP3 in Matroska, 3 to 60 s of 720p.",
      "Reference of the encodes: plain ffmpeg, alone on the machine, makes the same copies and then the same 480p files, one after another, the shortest first; the time from its start. It receives, probes and checks nothing, and makes no images.",
      `Lists: ${requestsPerS} requests a second for pages of lists, searches and the home page of 5,000 videos, p95 of each ${turnS} s.`,
      "The ladders of what plays already are made meanwhile, at the lowest priority.",
      "Processor time: most of the rest is the start of media tools, then the database. It says nothing where other programs run.",
    ],
  };
}

const medianOf = (sorted: readonly number[]): number =>
  sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;

/** @returns when each encode was complete, in ms. */
async function makePlainly(clips: readonly Clip[], folder: string): Promise<number[]> {
  const startedAt = performance.now();
  const target = ["-movflags", "+faststart", join(folder, "plain.mp4")];
  const make = (path: string, options: string[]) =>
    exec(ffmpeg, ["-v", "error", "-y", "-i", path, ...options, ...target]);
  for (const { path, isCopied } of clips) if (isCopied) await make(path, ["-c", "copy"]);
  const ends: number[] = [];
  for (const { path, isCopied } of clips) {
    if (isCopied) continue;
    await make(path, [
      ...["-vf", "scale=854:480", "-c:v", "libx264", "-preset", "veryfast", "-crf", "23"],
      ...["-maxrate", "1630k", "-bufsize", "3260k", "-g", "60", "-sc_threshold", "0"],
      ...["-c:a", "aac", "-b:a", "128k", "-ac", "2"],
    ]);
    ends.push(performance.now() - startedAt);
  }
  return ends;
}

/** Creates clips, those to be encoded sorted by length. */
async function makeClips(folder: string, lengths: number): Promise<Clip[]> {
  const make = async (name: string, size: string, codecs: string[]) => {
    const path = join(folder, name);
    await exec(ffmpeg, [
      ...[
        "-v",
        "error",
        "-y",
        "-f",
        "lavfi",
        "-i",
        `testsrc2=s=${size}:r=30:d=60,noise=alls=6:allf=t`,
      ],
      ...[
        "-f",
        "lavfi",
        "-i",
        "sine=f=330:d=60",
        "-pix_fmt",
        "yuv420p",
        "-g",
        "60",
        ...codecs,
        path,
      ],
    ]);
    return path;
  };
  const h264 = (rate: string) => [
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-b:v",
    rate,
    "-c:a",
    "aac",
  ];
  const sources = {
    hd: await make("hd.mp4", "1280x720", h264("3M")),
    fullHd: await make("full-hd.mp4", "1920x1080", h264("6M")),
    old: await make("old.mkv", "1280x720", ["-c:v", "mpeg4", "-b:v", "5M", "-c:a", "libmp3lame"]),
  };
  const cut = async (source: string, lengthS: number): Promise<string> => {
    const path = source.replace(/\.(\w+)$/, `-${lengthS}.$1`);
    await exec(ffmpeg, [
      ...["-v", "error", "-y", "-i", source],
      ...["-t", `${lengthS}`, "-c", "copy", path],
    ]);
    return path;
  };
  const clips: Clip[] = [];
  for (const [at, lengthS] of copiedS.slice(0, lengths).entries()) {
    clips.push({ path: await cut(sources.hd, lengthS), isCopied: true });
    clips.push({ path: await cut(sources.old, encodedS[at] ?? lengthS), isCopied: false });
    clips.push({ path: await cut(sources.fullHd, lengthS), isCopied: true });
  }
  return clips;
}

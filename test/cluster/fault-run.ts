import { spawnSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { errorStatus } from "#contract/errors.ts";
import { createDb, createPool } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { readDiskSpace } from "#server/lib/disk-space.ts";
import { createLogger } from "#server/lib/logger.ts";
import { listSiteProcesses } from "../harness/site-processes.ts";
import { isRoot } from "../harness/daemon.ts";
import { listDescendants } from "../harness/process-tree.ts";
import { removeData, startSite, type Site } from "../harness/server-process.ts";
import { createRandom } from "../reference/random.ts";
import { plain, sampleVideos } from "../sample-videos.ts";
import { makeUnique, sha256 } from "./clients.ts";

type Victim = "ffmpeg" | "ffprobe" | "postmaster" | "worker";

interface Faults {
  /** How often each process is killed. Fewer deaths than make the primary process give up. */
  deaths: Record<Victim, number>;
  /** Deaths before which the disk is filled and freed. */
  fullAt: readonly number[];
}

const seed = 18;
/** Maximum number of videos that are processed at the same time. */
const maxUnderWay = 2;
const patience = { timeout: 500_000, interval: 200 };
/** Seconds after which orphaned files are deleted. */
const orphanAgeS = 25 * 3600;

const logger = createLogger("silent");
const env = { WEB_PROCESSES: "2", WRITE_LIMITS: "0", LOG_LEVEL: "info" };
let output = "";
const onOutput = (text: string) => {
  output += text;
};
let site: Site | null = null;
let cookie = "";
let dataDir = "";
let storage = "";
let hasOwnDisk = false;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "kinora-faults-"));
  storage = join(dataDir, "storage");
  await mkdir(storage, { mode: 0o700 });
  // Tests may not fill other disks.
  hasOwnDisk =
    isRoot &&
    spawnSync("mount", ["-t", "tmpfs", "-o", "size=192m,mode=700", "tmpfs", storage]).status === 0;
  if (!hasOwnDisk) {
    process.stderr.write(
      "SKIPPED: filling the disk. Only root can mount a small disk. The deaths are tested.\n",
    );
  }
  site = await startSite({ dataDir, env, onOutput });
  cookie = await site.signIn();
});
afterAll(async () => {
  await site?.stop();
  if (hasOwnDisk) spawnSync("umount", ["--lazy", storage]);
  await removeData(dataDir);
});

const running = (): Site => {
  if (site === null) throw new Error("the site does not run");
  return site;
};

/** @returns the id of a process of this kind, or null while the site has none. */
async function findVictim(victim: Victim): Promise<number | null> {
  const { pid } = running();
  if (victim === "worker") {
    return listSiteProcesses(pid).find(({ kind }) => kind === "jobs")?.pid ?? null;
  }
  const all = await listDescendants(pid);
  if (victim !== "postmaster") return all.find(({ name }) => name === victim)?.pid ?? null;
  // Its backends have the same name.
  return all.find(({ parentPid, name }) => parentPid === pid && name === "postgres")?.pid ?? null;
}

/** Expects the site's processes to run. */
async function expectRunning(): Promise<void> {
  expect(await findVictim("postmaster")).not.toBeNull();
  expect(await findVictim("worker")).not.toBeNull();
  expect((await fetch(`${running().url}/readyz`)).status).toBe(200);
}

/** Returns the number of processes that have replaced another one. */
const countReplaced = () => output.split('"replaced a process"').length - 1;

const findRunning = (victim: Victim): Promise<number> =>
  vi.waitFor(async () => (await findVictim(victim)) ?? expect.fail(`no ${victim}`), {
    ...patience,
    interval: 10,
  });

/** Waits for a process of this kind and kills it. */
async function kill(victim: Victim): Promise<void> {
  const pid = await findRunning(victim);
  const replaced = countReplaced();
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has just ended.
  }
  if (victim === "ffmpeg" || victim === "ffprobe") return;
  // The site replaces the process, and gives up if too many die while starting.
  await vi.waitFor(async () => {
    if (victim === "worker") expect(countReplaced()).toBeGreaterThan(replaced);
    expect(await findVictim(victim)).not.toBe(pid);
    await expectRunning();
  }, patience);
}

/** Fills the disk while a tool runs until an upload is refused, then frees it. */
async function fillDisk(upload: () => Promise<number>): Promise<void> {
  const filler = join(storage, "filler");
  await findRunning("ffmpeg");
  await vi.waitFor(async () => {
    // Repeatedly, because ending processes free space.
    const { freeBytes } = await readDiskSpace(storage);
    await appendFile(filler, Buffer.alloc(freeBytes)).catch(() => undefined);
    expect(await upload()).toBe(errorStatus.storage_full);
  }, patience);
  await rm(filler);
}

interface Upload {
  id: string;
  sha256: string;
}

const headers = () => ({ cookie });

interface ShownVideo {
  id: string;
  status: string;
  progress: number | null;
  failureReason: string | null;
}

/** Lists all videos of the site, including unacknowledged ones. */
async function listVideos(): Promise<ShownVideo[]> {
  const response = await fetch(`${running().url}/api/videos?limit=100`, { headers: headers() });
  expect(response.status).toBe(200);
  const { videos, total } = await response.json();
  expect(videos).toHaveLength(total);
  return videos;
}

const isInProgress = ({ progress, failureReason }: ShownVideo) =>
  progress !== 1 && failureReason === null;

/** Uploads one after the other, so that there is always something to interrupt. */
function startUploads(clips: readonly Buffer[]) {
  const acknowledged: Upload[] = [];
  const stopped = new AbortController();
  let number = 0;
  /** @returns the status of the response. */
  async function upload(): Promise<number> {
    number += 1;
    const file = makeUnique(clips[number % clips.length] ?? Buffer.alloc(0));
    const body = new FormData();
    body.set("title", `Upload ${number}`);
    body.set("video", new Blob([new Uint8Array(file)]), "clip.mp4");
    const response = await fetch(`${running().url}/api/videos`, {
      method: "POST",
      headers: headers(),
      body,
    });
    const { id } = await response.json();
    if (response.status === 201) acknowledged.push({ id, sha256: sha256(file) });
    return response.status;
  }
  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      // The kill broke the connection, so nothing was acknowledged.
      const videos = await listVideos().catch(() => null);
      if (videos !== null && videos.filter(isInProgress).length < maxUnderWay) {
        await upload().catch(() => undefined);
      }
      await wait(200);
    }
  }
  const ended = run();
  return {
    acknowledged,
    upload,
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

/**
 * Expects that all videos are processed.
 * @returns their ids.
 */
async function expectAllReady(): Promise<string[]> {
  const videos = await listVideos();
  for (const video of videos) {
    expect(video).toMatchObject({
      status: "ready",
      progress: 1,
      failureReason: null,
      hlsUrl: expect.any(String),
    });
  }
  return videos.map(({ id }) => id);
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Reads the video rows as a text while the site is stopped. */
async function readRows(): Promise<{ ids: string[]; text: string }> {
  const engine = await startEngine({ dataDir, logger });
  const db = createDb(createPool(engine.target, 1, logger));
  try {
    const rows = await db.selectFrom("videos").selectAll().execute();
    return { ids: rows.map(({ id }) => id), text: JSON.stringify(rows) };
  } finally {
    await db.destroy();
    await engine.stop();
  }
}

/** Uploads to a site whose processes are killed and whose disk is filled, and checks what is left. */
export async function expectToSurvive({ deaths, fullAt }: Faults): Promise<void> {
  const clips = [
    await readFile(await plain()),
    await readFile(await sampleVideos.fullChroma.make()),
  ];
  const random = createRandom(seed);
  const victims = (Object.keys(deaths) as Victim[])
    .flatMap((victim) => Array.from({ length: deaths[victim] }, () => victim))
    .map((victim) => ({ victim, at: random.next() }))
    .toSorted((a, b) => a.at - b.at);
  const uploads = startUploads(clips);
  // All processes have started once a video is processed.
  await vi.waitFor(async () => {
    expect(await listVideos()).toContainEqual(expect.objectContaining({ progress: 1 }));
  }, patience);
  for (const [moment, { victim }] of victims.entries()) {
    if (hasOwnDisk && fullAt.includes(moment)) await fillDisk(uploads.upload);
    await wait(random.below(500));
    await kill(victim);
  }
  await uploads.stop();
  const ids = await vi.waitFor(expectAllReady, patience);
  const { acknowledged } = uploads;
  expect(acknowledged.length).toBeGreaterThan(3);
  expect(ids).toEqual(expect.arrayContaining(acknowledged.map(({ id }) => id)));
  for (const { id, sha256: sent } of acknowledged) {
    expect(sha256(await readFile(join(storage, "objects/sources", id)))).toBe(sent);
  }

  // Orphaned files are deleted a day later, when the site starts its jobs.
  await running().stop();
  const long = Date.now() / 1000 - orphanAgeS;
  for (const file of await listFiles(join(storage, "objects"))) {
    await utimes(join(storage, "objects", file), long, long);
  }
  const rows = await readRows();
  site = await startSite({ dataDir, env, onOutput });
  expect(rows.ids.toSorted()).toEqual(ids.toSorted());
  const isOrphan = (file: string) => {
    const [, token = "", entry = ""] = file.split("/");
    return file.startsWith("sources/")
      ? !rows.ids.includes(token)
      : !rows.text.includes(`v/${token}/${entry}`);
  };
  await vi.waitFor(async () => {
    expect((await listFiles(join(storage, "objects"))).filter(isOrphan)).toEqual([]);
    expect(await listFiles(join(storage, "scratch"))).toEqual([]);
    expect(await listFiles(join(dataDir, "uploads"))).toEqual([]);
    expect(await listFiles(join(dataDir, "media-work"))).toEqual([]);
  }, patience);
  // Every file referenced by a video exists.
  const named = [...rows.text.matchAll(/"(v\/[^"]+|sources\/[^"]+)"/g)].map(([, key = ""]) => key);
  const files = new Set(await listFiles(join(storage, "objects")));
  expect(named.length).toBeGreaterThan(ids.length);
  expect(named.filter((key) => !files.has(key))).toEqual([]);
}

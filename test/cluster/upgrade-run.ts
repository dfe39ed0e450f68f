import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { z } from "zod";
import { createClient } from "../app.ts";
import { findFreePort, root, startSite, type Site } from "../harness/server-process.ts";
import { faststart, plain } from "../sample-videos.ts";

/** Returns whether the repository contains a commit. A shallow clone lacks old ones. */
export const hasCommit = (commit: string): boolean =>
  spawnSync("git", ["-C", root, "cat-file", "-e", `${commit}^{commit}`]).status === 0;

const admin = { email: "bench@example.com", password: "bench password" };
let folder: string;
let dataDir: string;
let old: ChildProcess | null;
let site: Site | null;

beforeEach(async () => {
  [old, site] = [null, null];
  folder = await mkdtemp(join(tmpdir(), "kinora-upgrade-"));
  dataDir = join(folder, "data");
});
afterEach(async () => {
  await stopOld();
  await site?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
});

/** Runs `npm start` of an old version. This installs its packages and builds its pages. */
async function startOld(commit: string): Promise<string> {
  const program = join(folder, "program");
  await mkdir(program);
  const archive = execFileSync("git", ["-C", root, "archive", commit], {
    maxBuffer: 512 * 1024 * 1024,
  });
  execFileSync("tar", ["-x", "-C", program], { input: archive });
  const port = await findFreePort();
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, ["setup/start.mjs"], {
    cwd: program,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...env,
      NODE_ENV: "production",
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      LOG_LEVEL: "warn",
      WEB_PROCESSES: "1",
    },
  });
  old = child;
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    expect(child.exitCode).toBeNull();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  };
  await vi.waitFor(isReady, { timeout: 1_200_000, interval: 1000 });
  return url;
}

async function stopOld(): Promise<void> {
  if (old === null || old.exitCode !== null || old.signalCode !== null) return;
  const ended = once(old, "exit");
  old.kill("SIGTERM");
  await ended;
}

type Client = ReturnType<typeof createClient>;

async function signIn(url: string): Promise<Client> {
  const client = createClient(url);
  const { status } = await client.call("POST", "/api/auth/signin", admin);
  expect(status).toBe(200);
  return client;
}

/** Fills the site through API calls that every version has. */
async function fill(url: string): Promise<void> {
  const client = await signIn(url);
  const send = async (method: string, path: string, body: unknown) => {
    const response = await client.call(method, path, body, { origin: url });
    expect([path, response.status, response.text]).toEqual([
      path,
      expect.toBeOneOf([200, 201]),
      expect.anything(),
    ]);
    return response.json;
  };
  for (const kind of ["categories", "tags", "actors"]) {
    for (const name of ["Sea", "Straße 東京"]) await send("POST", `/api/${kind}`, { name });
  }
  for (const [title, make] of [
    ["First light", faststart],
    ["Paper boats", plain],
  ] as const) {
    const form = new FormData();
    form.set("title", title);
    form.set("description", "A description 🎬");
    form.set("tags", "Sea");
    form.set("actors", "Straße 東京");
    form.set("video", new Blob([new Uint8Array(await readFile(await make()))]), "clip.mp4");
    const { id } = await send("POST", "/api/videos", form);
    const isDone = async () => {
      const { json } = await client.call("GET", `/api/videos/${id}`);
      expect(json.status).toBe("ready");
    };
    await vi.waitFor(isDone, { timeout: 300_000, interval: 500 });
    await send("PUT", `/api/videos/${id}`, { isPublished: true });
    await send("POST", `/api/videos/${id}/like`, undefined);
  }
  await send("POST", "/api/ads", {
    title: "Lamps",
    type: "banner",
    placement: "sidebar",
    imageUrl: "https://example.com/lamp.png",
    linkUrl: "https://example.com/",
    isActive: true,
  });
  await send("POST", "/api/settings", {
    siteName: "Harbour",
    siteDescription: "Boats",
    terms: "# Terms",
    midrollTimes: [10, 20],
  });
}

/** Reads the content that an upgrade must preserve, with the fields that every version has. */
async function readContent(client: Client) {
  const get = async (path: string) => {
    const { status, json } = await client.call("GET", path);
    expect([path, status]).toEqual([path, 200]);
    return json;
  };
  const videos = z
    .array(
      z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        description: z.string().nullable(),
        status: z.string(),
      }),
    )
    .parse((await get("/api/videos")).videos);
  const likes: number[] = [];
  for (const { id } of videos) likes.push((await get(`/api/videos/${id}/like`)).likesCount);
  const ads = z
    .array(z.object({ id: z.string(), title: z.string(), placement: z.string() }))
    .parse((await get("/api/ads?limit=100")).ads);
  const named = z.array(z.object({ id: z.string(), name: z.string(), slug: z.string() }));
  const labels: Record<string, z.infer<typeof named>> = {};
  for (const kind of ["categories", "tags", "actors"]) {
    const list: unknown = await get(`/api/${kind}`);
    const rows = Array.isArray(list) ? list : z.record(z.string(), z.unknown()).parse(list)[kind];
    labels[kind] = named.parse(rows);
  }
  const settings = z.record(z.string(), z.unknown()).parse(await get("/api/settings"));
  return { videos, likes, ads, labels, settings };
}

/** Lists the paths of pages from the web routes. */
function listPages(slug: string, label: string): string[] {
  const source = readFileSync(join(root, "src/web/app/routes.tsx"), "utf8");
  const kinds = ["tags", "categories", "actors"];
  const paths = Array.from(source.matchAll(/page\(\s*["`]([^"`]+)["`]/g), ([, path = ""]) => path);
  const isLabel = /^\/(tags|categories|actors)\//;
  const all = paths.flatMap((path) => kinds.map((kind) => path.replace("${kind}", kind)));
  return [...new Set(all)].map((path) =>
    path.replace(":slug", isLabel.test(path) ? label : slug).replace(/:\w+/g, "missing"),
  );
}

/** Lists the paths of all GET operations with existing ids. */
async function listCalls(client: Client, ids: { video: string; ad: string }): Promise<string[]> {
  const { json } = await client.call("GET", "/api/openapi.json");
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(json);
  return Object.entries(paths)
    .filter(([, operations]) => operations["get"] !== undefined)
    .map(([path]) => {
      const id = path.startsWith("/api/ads/") ? ids.ad : ids.video;
      return path.replace(/\{(id|idOrSlug|videoId)\}/g, id).replace(/\{\w+\}/g, "missing");
    });
}

/**
 * Fills a site of an old commit, upgrades it, and expects everything to be there, every page and call
 * to be served, and the schema to be up to date.
 */
export async function expectUpgradeFrom(commit: string): Promise<void> {
  const oldUrl = await startOld(commit);
  await fill(oldUrl);
  const before = await readContent(await signIn(oldUrl));
  expect([before.videos.length, before.likes, before.ads.length]).toEqual([2, [1, 1], 1]);
  await stopOld();

  site = await startSite({ dataDir });
  const client = await signIn(site.url);
  const after = await readContent(client);
  expect(after).toMatchObject(before);
  expect(await readdir(join(dataDir, "backups"))).toHaveLength(1);

  const [video, ad] = [before.videos[0], before.ads[0]];
  const pages = listPages(video?.slug ?? "", before.labels["tags"]?.[0]?.slug ?? "");
  const calls = await listCalls(client, { video: video?.id ?? "", ad: ad?.id ?? "" });
  expect([pages.length, calls.length].every((count) => count > 25)).toBe(true);
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const failed: string[] = [];
  for (const path of [...pages, ...calls]) {
    // Streams of events never end, so only the status is read.
    const response = await fetch(site.url + path, { headers: { cookie }, redirect: "manual" });
    await response.body?.cancel();
    if (response.status >= 500) failed.push(`${response.status} ${path}`);
  }
  expect(failed).toEqual([]);
  for (const { slug } of before.videos) {
    expect((await fetch(`${site.url}/video/${slug}`)).status).toBe(200);
  }
  const doctor = spawnSync(process.execPath, ["src/server/admin-cli.ts", "doctor"], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: "utf8",
  });
  expect(doctor.stdout).toMatch(/^ok {7}schema: up to date$/m);
}

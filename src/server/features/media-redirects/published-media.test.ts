import Fastify from "fastify";
import { beforeEach, describe, expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import { createStatCache } from "#server/storage/s3/s3-reads.ts";
import type { ObjectStat } from "#server/storage/storage.ts";
import { createMetrics } from "#server/lib/metrics/metrics.ts";
import { createMediaBudget } from "#server/site/media-budget.ts";
import { registerMediaFiles } from "#server/site/media-files.routes.ts";
import { createMediaRedirectsFeature } from "./media-redirects.feature.ts";

/** Keys of the copies below the public address. */
let copies: Set<string>;
let delivery: ReturnType<typeof createMediaRedirectsFeature>;

const app = useTestApp({ env: { GEO_HEADER: "CF-IPCountry" } });
const admin = useClient(app);

const statOf = (key: string): ObjectStat => ({
  key,
  sizeBytes: 1,
  contentType: "video/mp4",
  modifiedAt: new Date(0),
});

/** The bucket calls that public copies need, with the cache of one process. */
function bucket(): Pick<S3Storage, "findStat" | "dropStat" | "copy" | "deletePrefix"> {
  const stats = createStatCache<ObjectStat>({ keepMs: 60_000, maxEntries: 100 });
  return {
    findStat: async (key) =>
      stats.find(key) ?? (copies.has(key) ? stats.keep(key, statOf(key)) : null),
    dropStat: (key) => stats.drop(key),
    async copy(_from, to) {
      copies.add(to);
      stats.drop(to);
    },
    async deletePrefix(prefix) {
      for (const key of copies) {
        if (!key.startsWith(prefix)) continue;
        copies.delete(key);
        stats.drop(key);
      }
    },
  };
}

/** Creates the feature as a separate process would. */
const startProcess = (changed: Partial<S3Storage> = {}) =>
  createMediaRedirectsFeature({
    ...app.context,
    config: { ...app.context.config, mediaBaseUrl: "https://cdn.example" },
    db: app.db,
    s3: { ...bucket(), ...changed } as S3Storage,
  });

beforeEach(() => {
  copies = new Set();
  delivery = startProcess();
});

/** Requests a file in the bucket as a visitor would, and returns the address of the redirect. */
async function request(video: { id: string; media_token: string }) {
  const key = `v/${video.media_token}/step/play.mp4`;
  const isPublic = !app.context.restrictions.isRestricted(video.id);
  return (await delivery.findRedirect(statOf(key), { isPublic, hasCopy: isPublic }))?.url ?? null;
}

async function withdraw(process = delivery): Promise<void> {
  const [job] = process.jobs ?? [];
  await job?.run({}, { signal: new AbortController().signal });
}

describe("public copies in a bucket", () => {
  it.each([
    ["its own rule", (id: string) => ["PUT", `/api/videos/${id}`] as const],
    ["a rule of the site", () => ["POST", "/api/settings"] as const],
  ])("deletes copies and makes no new ones while a video is under %s", async (_, callOf) => {
    const video = await makeVideo(app.db);
    const change = async (blockedCountries: string[]) => {
      const [method, path] = callOf(video.id);
      expect((await admin.call(method, path, { blockedCountries })).status).toBe(200);
      await app.context.restrictions.refresh();
      delivery.invalidate?.("everything");
    };
    const url = `https://cdn.example/v/${video.media_token}/step/play.mp4`;
    expect(await request(video)).toBe(url);
    expect(copies.size).toBe(1);
    await withdraw();
    expect(copies.size).toBe(1);

    await change(["DE"]);
    await withdraw();
    expect(copies.size).toBe(0);
    expect(await request(video)).toBeNull();
    expect(copies.size).toBe(0);

    await change([]);
    expect(await request(video)).toBe(url);
    expect(copies.size).toBe(1);
  });

  it("copies a file again after another process deleted its copy", async () => {
    const video = await makeVideo(app.db);
    const publish = async (isPublished: boolean) => {
      const { status } = await admin.call("PUT", `/api/videos/${video.id}`, { isPublished });
      expect(status).toBe(200);
      delivery.invalidate?.("everything");
    };
    await request(video);
    // Now this process has found the copy and cached its metadata.
    delivery.invalidate?.("everything");
    await request(video);
    await publish(false);
    await withdraw(startProcess());
    expect(copies.size).toBe(0);
    await publish(true);
    await request(video);
    expect(copies.size).toBe(1);
  });

  it("deletes copies whose deletion another process didn't finish", async () => {
    const video = await makeVideo(app.db);
    await request(video);
    await admin.call("PUT", `/api/videos/${video.id}`, { isPublished: false });
    const deletion = Promise.withResolvers<void>();
    const hasBegun = Promise.withResolvers<void>();
    const dead = withdraw(
      startProcess({
        async deletePrefix() {
          hasBegun.resolve();
          await deletion.promise;
        },
      }),
    );
    await hasBegun.promise;
    await app.database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`);
    await withdraw(startProcess());
    expect(copies.size).toBe(0);
    deletion.resolve();
    await expect(dead).rejects.toThrow("connection error");
  });

  it("keeps the copies of a video that is published again before their deletion", async () => {
    const videos = [await makeVideo(app.db), await makeVideo(app.db)];
    const publish = (id: string, isPublished: boolean) =>
      admin.call("PUT", `/api/videos/${id}`, { isPublished });
    for (const video of videos) {
      await request(video);
      await publish(video.id, false);
    }
    const { deletePrefix } = bucket();
    const deleted: string[] = [];
    await withdraw(
      startProcess({
        async deletePrefix(prefix) {
          const others = videos.filter(({ media_token: token }) => !prefix.includes(token));
          for (const { id } of others) await publish(id, true);
          await deletePrefix(prefix);
          deleted.push(prefix);
        },
      }),
    );
    expect(deleted).toHaveLength(1);
    expect(copies.size).toBe(1);
  });
});

it("redirects to the CDN only once a copy is done", async () => {
  const video = await makeVideo(app.db);
  const url = `https://cdn.example/v/${video.media_token}/step/play.mp4`;
  const copying = Promise.withResolvers<void>();
  let attempts = 0;
  delivery = startProcess({
    async copy() {
      attempts += 1;
      if (attempts === 1) throw new Error("The bucket is busy.");
      await copying.promise;
    },
  });
  expect(await request(video)).toBeNull();
  expect(await request(video)).toBeNull();
  copying.resolve();
  expect(await request(video)).toBe(url);
  expect(attempts).toBe(2);
});

it("sends the preview of a locked video itself", async () => {
  const video = await makeVideo(app.db, { is_premium: true, duration_s: 60 });
  const key = `v/${video.media_token}/step/preview.mp4`;
  await app.db.updateTable("videos").set({ preview_key: key }).where("id", "=", video.id).execute();
  await app.context.storage.putBytes(key, "0");
  const server = Fastify().decorateRequest("user", null);
  registerMediaFiles(server, {
    ...app.context,
    access: app.context.mediaAccess,
    budget: createMediaBudget({
      ...app.context,
      metrics: createMetrics(),
      findLimit: async () => null,
    }),
    findRedirect: delivery.findRedirect,
    storage: {
      ...app.context.storage,
      currentKind: () => "s3",
      locate: async () => ({ place: "s3", stat: statOf(key) }),
    },
  });
  const read = async () => {
    const { statusCode, headers } = await server.inject(`/media/${key}`);
    return [statusCode, headers.location];
  };
  expect(await read()).toEqual([302, `https://cdn.example/${key}`]);
  await admin.call("POST", "/api/settings", { premiumAccess: "members" });
  await withdraw();
  expect(await read()).toEqual([200, undefined]);
  await admin.call("POST", "/api/settings", { premiumAccess: "badge" });
  expect(await read()).toEqual([302, `https://cdn.example/${key}`]);
});

it("keeps files of restricted videos out of intermediate caches", async () => {
  const video = await makeVideo(app.db);
  const key = `v/${video.media_token}/step/play.mp4`;
  await app.context.storage.putBytes(key, "0123456789");
  const read = async () => {
    const client = createClient(app.url);
    const { headers } = await client.call("GET", `/media/${key}`, undefined, {
      "cf-ipcountry": "CH",
    });
    return headers.get("cache-control");
  };
  expect(await read()).toBe("public, max-age=31536000, immutable");
  for (const [method, path] of [
    ["PUT", `/api/videos/${video.id}`],
    ["POST", "/api/settings"],
  ] as const) {
    await admin.call(method, path, { blockedCountries: ["DE"] });
    await app.context.restrictions.refresh();
    expect(await read()).toBe("private, max-age=31536000, immutable");
    await admin.call(method, path, { blockedCountries: [] });
    await app.context.restrictions.refresh();
  }
  expect(await read()).toBe("public, max-age=31536000, immutable");
});

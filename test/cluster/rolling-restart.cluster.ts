import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeVideo } from "../factories/make-video.ts";
import { plain } from "../sample-videos.ts";
import { startNodes, type Nodes } from "./start-nodes.ts";
import { waitForVisitors } from "./wait-for-visitors.ts";

const origin = "https://video.example.org";
const patience = { timeout: 60_000, interval: 50 };

let nodes: Nodes;
beforeAll(async () => {
  nodes = await startNodes({
    ROLE: "web",
    ACCEL_REDIRECT: "/_media",
    CDN_MAX_AGE: "2",
    DRAIN_SECONDS: "12",
    // All clients have one address.
    WRITE_LIMITS: "0",
  });
});
afterAll(() => nodes.stop());

/**
 * Starts clients that send requests one after the other until they are stopped. Counts the results.
 */
function startLoad(calls: readonly (() => Promise<number>)[]) {
  const counts = new Map<number | string, number>();
  const stopping = new AbortController();
  async function run(call: () => Promise<number>): Promise<void> {
    while (!stopping.signal.aborted) {
      const result = await call().catch(String);
      counts.set(result, (counts.get(result) ?? 0) + 1);
      await wait(10);
    }
  }
  const running = Promise.all(calls.map(run));
  return {
    async stop() {
      stopping.abort();
      await running;
      return counts;
    },
  };
}

test("serves every read, write and upload during a rolling restart under load", async () => {
  const { client } = nodes.nginx;
  const video = await makeVideo(nodes.database.db);
  const bytes = await readFile(await plain());
  const body = Buffer.from('{"email":"bench@example.com","password":"bench password"}');
  const json = { "content-type": "application/json", origin };
  const signedIn = await client.call("POST", "/api/auth/signin", json, body);
  const cookie = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";

  let number = 0;
  const statusOf = async (...args: Parameters<typeof client.call>) =>
    (await client.call(...args)).status;
  // Never requests the same URL twice, so that nginx's cache isn't used.
  const read = () => statusOf("GET", `/api/videos?limit=5&search=x${(number += 1)}`);
  const readPage = () => statusOf("GET", `/search?q=y${(number += 1)}`);
  let likes = 0;
  const write = async () => {
    const status = await statusOf("POST", `/api/videos/${video.slug}/like`, { origin });
    if (status === 200) likes += 1;
    return status;
  };
  const edit = () => {
    const change = Buffer.from(JSON.stringify({ description: `edit ${(number += 1)}` }));
    return statusOf("PUT", `/api/videos/${video.id}`, { ...json, cookie }, change);
  };
  // Each request takes longer than a node listens after the signal.
  async function* slowly() {
    const part = Math.ceil(bytes.length / 20);
    for (let at = 0; at < bytes.length; at += part) {
      yield bytes.subarray(at, at + part);
      await wait(200);
    }
  }
  const upload = async () => {
    const tus = { cookie, origin, "tus-resumable": "1.0.0" };
    const created = await client.call("POST", "/api/uploads", {
      ...tus,
      "upload-length": `${bytes.length}`,
    });
    if (created.status !== 201) return created.status;
    return statusOf(
      "PATCH",
      created.headers.location ?? "",
      { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
      Readable.from(slowly()),
    );
  };

  const load = startLoad([read, read, read, readPage, write, write, write, edit, upload, upload]);
  for (const index of [0, 1] as const) {
    const { url } = nodes.sites[index];
    await waitForVisitors(nodes.metricsUrls[index]);
    const restarted = nodes.restart(index);
    const readyz = () =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await vi.waitFor(async () => expect(await readyz()).toBe(503), patience);
    await restarted;
    await vi.waitFor(async () => expect(await readyz()).toBe(200), patience);
    await waitForVisitors(nodes.metricsUrls[index]);
  }
  const counts = await load.stop();
  expect([...counts.keys()].toSorted()).toEqual([200, 204]);
  expect(counts.get(200)).toBeGreaterThan(200);
  expect(counts.get(204)).toBeGreaterThan(2);
  // Acknowledged changes are counted exactly once.
  const { rows } = await nodes.database.pool.query("select likes from videos where id = $1", [
    video.id,
  ]);
  expect(rows).toEqual([{ likes }]);
});

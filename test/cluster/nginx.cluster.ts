import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:http2";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { migrations } from "#server/db/migrate.ts";
import { makeVideo } from "../factories/make-video.ts";
import { sendRaw } from "../raw-request.ts";
import { plain } from "../sample-videos.ts";
import {
  addMembersVideo,
  attack,
  closed,
  createVisitors,
  expectNothing,
  isOfOneVisitor,
  listsOf,
  mark,
  pathsOf,
  type AttackedSite,
} from "../members-attack.ts";
import { askRaw, spellingsOf } from "../target-spellings.ts";
import { startNodes, type Nodes } from "./start-nodes.ts";

const origin = "https://video.example.org";
const patience = { timeout: 60_000, interval: 50 };
const bytes = randomBytes(300_000);
/** Headers that belong to the connection or to one response. All others must be unchanged. */
const ownHeaders = new Set([
  ...["connection", "keep-alive", "date", "content-length", "x-accel-redirect", "x-request-id"],
]);

let nodes: Nodes;
let session: string;
beforeAll(async () => {
  nodes = await startNodes({ ROLE: "web", ACCEL_REDIRECT: "/_media", CDN_MAX_AGE: "2" });
  const body = Buffer.from('{"email":"bench@example.com","password":"bench password"}');
  const signedIn = await call("POST", "/api/auth/signin", json, body);
  session = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
});
afterAll(() => nodes.stop());

const json = { "content-type": "application/json", origin };
const call: Nodes["nginx"]["client"]["call"] = (...args) => nodes.nginx.client.call(...args);
const cacheStatus = async (path: string, headers: Record<string, string> = {}) =>
  (await call("GET", path, headers)).headers["x-cache-status"];

async function addFile(key: string, content: Buffer = bytes): Promise<void> {
  const path = join(nodes.dataDir, "storage/objects", key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

test("migrates an empty database once if nodes start at once", () => {
  const counts = Array.from(
    nodes.readLog().matchAll(/"count":(\d+),"last":"[^"]+","msg":"migrated"/g),
    ([, count]) => Number(count),
  );
  expect(counts).toEqual([Object.keys(migrations).length]);
});

test("sends media from nginx with the node's headers", async () => {
  const listed = await makeVideo(nodes.database.db);
  const draft = await makeVideo(nodes.database.db, { is_published: false });
  for (const { media_token: token } of [listed, draft]) await addFile(`v/${token}/480p.mp4`);
  const path = `/media/v/${listed.media_token}/480p.mp4`;
  const direct = await fetch(nodes.sites[0].url + path, {
    headers: { "x-forwarded-proto": "https" },
  });
  const whole = await call("GET", path);
  const part = await call("GET", path, { range: "bytes=1000-1999" });
  expect(whole.body.equals(bytes)).toBe(true);
  expect(part.body.equals(bytes.subarray(1000, 2000))).toBe(true);
  expect([whole.status, part.status]).toEqual([200, 206]);
  // The node's own response contains the file name but no body. Visitors never see this name.
  expect(direct.headers.get("x-accel-redirect")).toMatch(/^\/_media\/v\//);
  expect(whole.headers["x-accel-redirect"]).toBeUndefined();
  const kept = [...direct.headers].filter(([name]) => !ownHeaders.has(name));
  expect(kept.map(([name]) => name)).toContain("content-security-policy");
  for (const { headers } of [whole, part]) {
    expect(kept.map(([name]) => [name, headers[name]])).toEqual(kept);
  }
  const beyond = await call("GET", path, { range: "bytes=300000-" });
  expect([beyond.status, beyond.headers["x-content-type-options"]]).toEqual([416, "nosniff"]);
  const revalidated = await call("GET", path, { "if-none-match": whole.headers.etag ?? "" });
  expect([revalidated.status, revalidated.headers["cross-origin-resource-policy"]]).toEqual([
    304,
    "cross-origin",
  ]);

  const draftPath = `/media/v/${draft.media_token}/480p.mp4`;
  expect((await call("GET", draftPath)).status).toBe(404);
  const seen = await call("GET", draftPath, { cookie: session });
  expect([seen.status, seen.headers["cache-control"]]).toEqual([200, "private, no-cache"]);
  expect(seen.headers["access-control-allow-origin"]).toBeUndefined();
  expect((await call("GET", `/_media/v/${listed.media_token}/480p.mp4`)).status).toBe(404);
});

test("caches pages according to Cache-Control, but never a session's", async () => {
  const path = "/api/videos?limit=3";
  const own = await call("GET", path, { cookie: session });
  expect([own.headers["cache-control"], own.headers["x-cache-status"]]).toEqual([
    "private, no-store",
    "BYPASS",
  ]);
  expect(await cacheStatus(path)).toBe("MISS");
  // On a busy machine, the cached copy may have expired. The next request renews it.
  await vi.waitFor(async () => expect(await cacheStatus(path)).toBe("HIT"), patience);
  expect(await cacheStatus(path, { cookie: session })).toBe("BYPASS");
  expect(await cacheStatus(path, { cookie: "a=1; __Host-session=x" })).toBe("BYPASS");
  // All spellings of `Accept-Encoding` share one cached copy.
  const spellings = ["gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8", "br;q=0, gzip", "identity"];
  let attempt = 0;
  await vi.waitFor(async () => {
    attempt += 1;
    const encodings: unknown[] = [];
    for (const accepted of spellings) {
      const headers = { "accept-encoding": accepted };
      const response = await call("GET", `/search?q=attempt${attempt}`, headers);
      encodings.push([response.headers["content-encoding"], response.headers["x-cache-status"]]);
    }
    expect(encodings).toEqual([
      ["br", "MISS"],
      ["br", "HIT"],
      ["gzip", "MISS"],
      [undefined, "MISS"],
    ]);
  }, patience);
  await vi.waitFor(async () => {
    expect(["STALE", "EXPIRED", "REVALIDATED", "MISS"]).toContain(await cacheStatus(path));
  }, patience);
  expect([await cacheStatus("/readyz"), await cacheStatus("/readyz")]).toEqual(["MISS", "MISS"]);
});

test("neither serves cached copies for requests with a token nor caches their responses", async () => {
  const body = Buffer.from('{"name":"reader","scopes":["content.read"]}');
  const created = await call("POST", "/api/account/tokens", { ...json, cookie: session }, body);
  const { token }: { token: string } = JSON.parse(created.body.toString());
  const draft = await makeVideo(nodes.database.db, { title: "zqx draft", is_published: false });
  const path = "/api/videos?limit=50&search=zqx";
  const read = (headers: Record<string, string> = {}) => call("GET", path, headers);
  await read();
  await vi.waitFor(async () => expect(await cacheStatus(path)).toBe("HIT"), patience);
  const own = await read({ authorization: `Bearer ${token}` });
  expect([own.headers["x-cache-status"], own.headers["cache-control"]]).toEqual([
    "BYPASS",
    "private, no-store",
  ]);
  expect(own.body.toString()).toContain(draft.slug);
  // The site treats a token that it never issued as a visitor's request.
  const unknown = await read({ authorization: `Bearer kinora_${"x".repeat(60)}` });
  expect(unknown.headers["x-cache-status"]).toBe("BYPASS");
  expect(unknown.body.toString()).not.toContain(draft.slug);
  await vi.waitFor(async () => expect(await cacheStatus(path)).toBe("HIT"), patience);
  expect((await read()).body.toString()).not.toContain(draft.slug);
});

/** nginx chooses the server by the host of these URLs and then reduces them to the path. */
const reducedByNginx = new Set(["another port", "another scheme"]);

test("serves no other spelling of an address past the router or from another address's cache", async () => {
  const host = "video.example.org";
  const server = { hostname: "127.0.0.1", port: nodes.nginx.httpsPort, servername: host };
  const ask = (target: string, given = host) => askRaw(server, target, [`Host: ${given}`]);
  const video = await makeVideo(nodes.database.db, { title: "Open" });
  const hidden = await makeVideo(nodes.database.db, { title: "zqxsecret", is_published: false });
  await addFile(`v/${video.media_token}/480p.mp4`);
  const routes = [
    "/api/videos?limit=2",
    `/api/videos/${video.slug}`,
    `/api/videos/${hidden.slug}`,
    "/api/admin/people",
    "/search?search=zqxtext",
    "/de/home",
    `/video/${video.slug}`,
    `/media/v/${video.media_token}/480p.mp4`,
    `/_media/v/${video.media_token}/480p.mp4`,
    "/robots.txt",
    "/wp-login.php",
  ];
  let count = 0;
  for (const address of routes) {
    const { status } = await ask(address);
    for (const { name, target, is } of spellingsOf(address, host)) {
      const response = await ask(target);
      const isSame = is === "same" || reducedByNginx.has(name);
      // nginx responds with 404 to every spelling of its internal address.
      const expected = isSame
        ? [status]
        : address.startsWith("/_media/")
          ? [0, 400, 404]
          : [0, 400];
      expect({ name, target, status: response.status, expected }).toEqual({
        name,
        target,
        status: expect.toBeOneOf(expected),
        expected,
      });
      if (!isSame) expect(response.body).not.toMatch(/zqx|Open/);
      count += 1;
    }
    expect((await ask("/unknown")).body).not.toMatch(/zqx/);
  }
  expect(count).toBeGreaterThan(300);
  expect(await ask("http://evil.example/home")).toMatchObject({ status: 0 });
  const { slug } = video;
  const plain = await ask(`/video/${slug}?x=1`);
  const mismatched = await ask(`http://${host}/video/${slug}?x=2`, "evil.example");
  expect([mismatched.status, plain.status]).toEqual([200, 200]);
  expect(mismatched.body).not.toContain("evil.example");
});

test("withholds a members' video from everyone without a pass, even after a member has played it", async () => {
  const { db } = nodes.database;
  const post = (path: string, body: object, cookie: string) =>
    call("POST", path, { ...json, cookie }, Buffer.from(JSON.stringify(body)));
  const site: AttackedSite = {
    db,
    async admin(method, path, body) {
      const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const headers = sent === undefined ? { origin } : json;
      const { body: text } = await call(method, path, { ...headers, cookie: session }, sent);
      return text.length === 0 ? null : JSON.parse(text.toString());
    },
    async use(code) {
      const { headers } = await post("/pass", { code, do: "use" }, "");
      return (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
    },
    leave: (cookie) => post("/pass", { do: "leave" }, cookie),
  };
  const video = await addMembersVideo(db, addFile, { slug: "harbour", title: "Harbour" });
  const brief = await addMembersVideo(db, addFile, { slug: "brief", title: "B", duration_s: 20 });
  const free = await makeVideo(db, { slug: "free", title: "Free harbour" });
  const file = `/media/v/${video.media_token}/${closed[0]}`;
  // nginx and its cache serve the file to everyone until only members may play premium videos.
  expect((await call("GET", file)).body.toString()).toContain(mark);
  await vi.waitFor(async () => expect(await cacheStatus("/video/harbour")).toBe("HIT"), patience);
  await site.admin("POST", "/api/settings", { premiumAccess: "members" });
  await vi.waitFor(async () => {
    expect((await call("GET", "/video/harbour")).body.toString()).not.toContain(mark);
    for (const { url } of nodes.sites) expect((await fetch(url + file)).status).toBe(403);
  }, patience);

  const { strangers, member } = await createVisitors(site);
  const host = "video.example.org";
  const server = { hostname: "127.0.0.1", port: nodes.nginx.httpsPort, servername: host };
  const headersOf = (own: Record<string, string>) =>
    Object.entries({ host, ...own }).map(([name, value]) => `${name}: ${value}`);
  const ask = async (target: string, own: Record<string, string>) => {
    const { headers, body } = await askRaw(server, target, headersOf(own));
    return `${JSON.stringify([...headers])}${body}`;
  };
  const lists = listsOf(video, brief, free, origin);
  const played = await call("GET", file, { cookie: member.cookie });
  expect([played.status, played.headers["cache-control"]]).toEqual([200, "private, no-store"]);
  expect(played.body.toString()).toContain(mark);
  for (const path of lists) {
    const { headers, body } = await call("GET", path, { cookie: member.cookie });
    if (!isOfOneVisitor(path)) expectNothing(body.toString(), video, `${path} for a member`);
    else expect([path, headers["x-cache-status"]]).toEqual([path, "MISS"]);
  }
  const plain = [...closed.map((name) => `/media/v/${video.media_token}/${name}`), ...lists];
  for (const [who, own] of Object.entries(strangers)) {
    await attack(video, pathsOf(video, brief, closed[0], host), who, (target) => ask(target, own));
    await attack(video, plain, who, async (target) => {
      const { headers, body } = await call("GET", target, own);
      return JSON.stringify(headers) + body.toString("latin1");
    });
  }
  expect((await call("GET", file, { cookie: member.cookie })).body.toString()).toContain(mark);
  await site.admin("DELETE", `/api/admin/passes/${member.id}`);
  expect((await call("GET", file, { cookie: member.cookie })).status).toBe(403);
  await site.admin("POST", "/api/settings", { premiumAccess: "badge" });
});

test("removes an unpublished video from cached lists", async () => {
  const { id, title } = await makeVideo(nodes.database.db, { title: "Soon withdrawn" });
  const read = async () => (await call("GET", "/api/videos?limit=50")).body.toString();
  await vi.waitFor(async () => expect(await read()).toContain(title), patience);
  const change = Buffer.from('{"isPublished":false}');
  const changed = await call("PUT", `/api/videos/${id}`, { ...json, cookie: session }, change);
  expect(changed.status).toBe(200);
  await vi.waitFor(async () => expect(await read()).not.toContain(title), patience);
});

test("overwrites a forged X-Forwarded-Host, and ignores foreign hosts", async () => {
  const { slug } = await makeVideo(nodes.database.db);
  const like = (headers: Record<string, string>) =>
    call("POST", `/api/videos/${slug}/like`, headers);
  const forged = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
  expect((await like({ ...forged, origin: "https://evil.example" })).status).toBe(403);
  expect((await like({ ...forged, origin })).status).toBe(200);
  await expect(like({ host: "evil.example" })).rejects.toThrow();
  const plainHttp = `http://127.0.0.1:${nodes.nginx.httpPort}`;
  const ask = (host: string) =>
    sendRaw(plainHttp, `GET /x?y=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(await ask("video.example.org")).toMatch(
    /^HTTP\/1.1 308 [^]*\nLocation: https:.*\/x\?y=1\r/,
  );
  expect(await ask("evil.example")).toBe("");
});

test("passes uploads through without writing them to disk first", async () => {
  const video = await readFile(await plain());
  const form = new FormData();
  form.set("title", "In one form");
  form.set("video", new Blob([video], { type: "video/mp4" }), "plain.mp4");
  const encoded = new Response(form);
  const sent = await call(
    "POST",
    "/api/videos",
    { cookie: session, origin, "content-type": encoded.headers.get("content-type") ?? "" },
    new Uint8Array(await encoded.arrayBuffer()),
  );
  expect([sent.status, sent.body.toString()]).toEqual([
    201,
    expect.stringContaining("In one form"),
  ]);

  const tus = { cookie: session, origin, "tus-resumable": "1.0.0" };
  const created = await call("POST", "/api/uploads", {
    ...tus,
    "upload-length": `${video.length}`,
  });
  const path = created.headers.location ?? "";
  expect(path).toMatch(/^\/api\/uploads\//);
  const body = new PassThrough();
  const patch = call(
    "PATCH",
    path,
    { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
    body,
  );
  body.write(video.subarray(0, 20_000));
  const staged = join(nodes.dataDir, "uploads", path.split("/").at(-1) ?? "");
  await vi.waitFor(async () => expect((await readFile(staged)).length).toBe(20_000), patience);
  expect(await readdir(nodes.nginx.bodyDir)).toEqual([]);
  body.end(video.subarray(20_000));
  expect((await patch).status).toBe(204);
  expect((await readFile(staged)).equals(video)).toBe(true);
});

test("serves pages over HTTP/2, and back-office events at once", async () => {
  const h2 = connect(`https://127.0.0.1:${nodes.nginx.httpsPort}`, {
    servername: "video.example.org",
    rejectUnauthorized: false,
  });
  try {
    const stream = h2.request({
      ":path": "/api/admin/events",
      ":authority": "video.example.org",
      cookie: session,
    });
    let text = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    await vi.waitFor(() => expect(text).toContain("retry: 2000"), patience);
    stream.close();
  } finally {
    h2.close();
  }
});

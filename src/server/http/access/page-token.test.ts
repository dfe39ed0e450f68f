import { beforeEach, describe, expect, it } from "vitest";
import { confirmSession, createClient, startTestApp, type TestApp, useTestApp } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { makeDraft, makeVideo } from "#test/factories/make-video.ts";
import { sourceKey } from "#server/storage/media-keys.ts";

let now = Date.now();
const clock = { now: () => now, date: () => new Date(now) };
let cookie = "";
const app = useTestApp({ pages: true, clock });
beforeEach(async () => {
  cookie = await app.signIn();
});

type Headers = Record<string, string>;

/** Headers of a browser that opens an address in a tab or window. */
const inTab: Headers = {
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};
/** Headers of a request by a script of the site. */
const byScript: Headers = {
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": "cors",
  "sec-fetch-dest": "empty",
};

/** Sends exactly these headers. Node's `fetch` would add its own. */
async function send(
  url: string,
  headers: Headers,
  {
    method = "GET",
    session = cookie,
    to = app,
  }: { method?: "GET" | "HEAD" | "POST"; session?: string; to?: TestApp } = {},
) {
  const response = await to.context.http.app.inject({
    method,
    url,
    headers: { cookie: session, ...headers },
  });
  const isJson = String(response.headers["content-type"]).includes("json");
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    json: isJson && response.body !== "" ? response.json() : null,
  };
}

const tokenIn = (html: string) => /<meta name="page-token" content="([^"]+)">/.exec(html)?.[1];

/** Opens the back office in a tab, and returns the headers of its scripts. */
async function openOffice(session = cookie): Promise<Headers> {
  const token = tokenIn((await send("/admin", inTab, { session })).text);
  if (token === undefined) throw new Error("the page has no token");
  return { ...byScript, "x-page-token": token };
}

const refusal = { status: 403, code: "page_token_required" };
const outcome = ({ status, json }: Awaited<ReturnType<typeof send>>) => ({
  status,
  code: json?.code,
});

describe("the page token", () => {
  it("is only in a back-office page that a tab or window loads, which no other page can read", async () => {
    const opened = await send("/admin/videos?edit=1", inTab);
    expect(tokenIn(opened.text)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{43}$/);
    expect(opened.headers).toMatchObject({
      "cache-control": "private, no-store",
      "cross-origin-opener-policy": "same-origin",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
    const others: [string, Headers][] = [
      ["/admin", byScript],
      ...["iframe", "frame", "object", "embed", "script", "image", "worker", "empty"].map(
        (destination): [string, Headers] => [
          "/admin",
          { ...inTab, "sec-fetch-site": "same-origin", "sec-fetch-dest": destination },
        ],
      ),
      ["/admin", { ...inTab, "sec-fetch-mode": "no-cors" }],
      ["/admin", {}],
      ["/home", inTab],
      ["/auth/signin", inTab],
      ["/partner", inTab],
      ["/library", inTab],
    ];
    for (const [url, headers] of others) {
      const { text } = await send(url, headers);
      expect({ url, headers, token: tokenIn(text) }).toEqual({ url, headers, token: undefined });
      expect(text).not.toContain("x-page-token");
    }
    expect(tokenIn((await send("/admin", inTab, { session: "" })).text)).toBeUndefined();
  });

  it("gives a script of its page the rights of the session, in every process", async () => {
    const office = await openOffice();
    const second = await startTestApp({ besides: app, clock });
    try {
      for (const to of [app, second]) {
        expect((await send("/api/admin/stats", office, { to })).status).toBe(200);
        expect((await send("/api/account", office, { to })).status).toBe(200);
        expect(outcome(await send("/api/admin/stats", byScript, { to }))).toEqual(refusal);
      }
    } finally {
      await second.stop();
    }
  });

  it("is refused in another session, of another user, or altered", async () => {
    const office = await openOffice();
    const token = office["x-page-token"] ?? "";
    const session = await app.signIn("OWNER");
    expect(outcome(await send("/api/admin/stats", office, { session }))).toEqual(refusal);
    for (const altered of ["", "x", token.slice(0, -1), `${token}A`, token.replace(".", "")]) {
      const headers = { ...byScript, "x-page-token": altered };
      expect(outcome(await send("/api/admin/stats", headers))).toEqual(refusal);
    }
  });

  it("is renewed after the same user has signed in again, but not for another user", async () => {
    const user = await makeUser(app.db);
    const signIn = async () =>
      `session=${(await app.context.auth.signIn(user.email, testPassword, testOrigin)).token}`;
    const office = await openOffice(await signIn());
    const session = await signIn();
    const renew = (headers: Headers, of = session) =>
      send("/api/auth/page-token", headers, { method: "POST", session: of });
    expect(outcome(await send("/api/account", office, { session }))).toEqual(refusal);
    const renewed = await renew(office);
    expect(renewed.status).toBe(200);
    const next = { ...byScript, "x-page-token": renewed.json.token };
    expect((await send("/api/account", next, { session })).status).toBe(200);
    expect(outcome(await renew(byScript))).toEqual(refusal);
    expect(outcome(await renew(office, cookie))).toEqual(refusal);
    expect((await renew(office, "")).status).toBe(401);
  });

  it("isn't needed by programs and API tokens", async () => {
    expect((await send("/api/admin/stats", {})).status).toBe(200);
    // Headers of Node's own `fetch`.
    const node = { "sec-fetch-mode": "cors", "accept-language": "*", "user-agent": "node" };
    expect((await send("/api/admin/stats", node)).status).toBe(200);
    const owner = createClient(app.url, await app.signIn("OWNER"));
    await confirmSession(owner);
    const { token } = (
      await owner.call("POST", "/api/account/tokens", {
        name: "program",
        scopes: ["statistics.read"],
        days: 7,
      })
    ).json;
    const authorization = `Bearer ${token}`;
    expect((await send("/api/admin/stats", { ...byScript, authorization })).status).toBe(200);
    // Another program that says it is a browser needs the token.
    const mode = { "sec-fetch-mode": "cors", "user-agent": "Mozilla/5.0", "accept-language": "de" };
    expect(outcome(await send("/api/admin/stats", mode))).toEqual(refusal);
  });

  it("isn't replaced by opening an API address in a tab", async () => {
    expect(outcome(await send("/api/admin/stats", inTab))).toEqual(refusal);
    expect(outcome(await send("/api/admin/export/categories", inTab))).toEqual(refusal);
  });
});

describe("a session without the page token", () => {
  it("is only a visitor on the public side", async () => {
    const { id, slug } = await makeDraft(app.db, { title: "Nobody knows" });
    for (const path of [`/api/videos/${slug}`, `/api/videos/${id}/like`]) {
      expect((await send(path, byScript)).status).toBe(404);
      expect((await send(path, await openOffice())).status).toBe(200);
    }
    expect((await send("/api/videos?limit=100", byScript)).text).not.toContain("Nobody knows");
    // Pages hide Sign In, and can end the session.
    expect((await send("/api/auth/session", byScript)).json.user).not.toBeNull();
    expect((await send("/api/auth/signout", byScript, { method: "POST" })).status).toBe(204);
  });

  it("sees a draft's page only in a tab, isolated from the window that opened it", async () => {
    const { slug } = await makeDraft(app.db, { title: "Nobody knows" });
    const url = `/video/${slug}`;
    const opened = await send(url, inTab);
    expect(opened.text).toContain("Nobody knows");
    expect(tokenIn(opened.text)).toBeDefined();
    expect(opened.headers).toMatchObject({
      "cache-control": "private, no-store",
      "cross-origin-opener-policy": "same-origin",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
    for (const destination of ["iframe", "empty", "embed"]) {
      const other = await send(url, { ...inTab, "sec-fetch-dest": destination });
      expect([other.status, other.text.includes("Nobody knows")]).toEqual([404, false]);
    }
    const listed = await makeVideo(app.db);
    const shown = await send(`/video/${listed.slug}`, inTab);
    expect([shown.status, tokenIn(shown.text)]).toEqual([200, undefined]);
  });

  it("shows no ads on a page of the site that the back office frames", async () => {
    const admin = createClient(app.url, cookie);
    const ad = { title: "Ad", type: "banner", placement: "footer", content: "<p>Ad</p>" };
    const { id } = (await admin.call("POST", "/api/ads", ad)).json;
    try {
      const slots = '"placement":"footer"';
      const framed = { ...inTab, "sec-fetch-site": "same-origin", "sec-fetch-dest": "iframe" };
      expect((await send("/home", inTab)).text).toContain(slots);
      expect((await send("/home", framed)).text).not.toContain(slots);
      expect((await send("/home", framed, { session: "" })).text).toContain(slots);
    } finally {
      await admin.call("DELETE", `/api/ads/${id}`);
    }
  });
});

describe("a ticket", () => {
  const buy = async (session = cookie): Promise<string> =>
    (await send("/api/auth/ticket", await openOffice(session), { method: "POST", session })).json
      .ticket;

  it("lets the browser download for ten minutes, in the session that bought it", async () => {
    expect(outcome(await send("/api/auth/ticket", byScript, { method: "POST" }))).toEqual(refusal);
    const ticket = await buy();
    const path = `/api/admin/export/categories?ticket=${ticket}`;
    const download = { ...inTab, "sec-fetch-site": "same-origin" };
    expect((await send(path, download)).status).toBe(200);
    expect((await send(path, download, { method: "HEAD" })).status).toBe(200);
    expect(outcome(await send(path.slice(0, -1), download))).toEqual(refusal);
    const another = await app.signIn();
    expect(outcome(await send(path, download, { session: another }))).toEqual(refusal);
    expect((await send(path, download, { session: "" })).status).toBe(401);
    // It buys no other ticket and changes nothing.
    const post = await send(`/api/auth/ticket?ticket=${ticket}`, byScript, { method: "POST" });
    expect(outcome(post)).toEqual(refusal);
    now += 10 * 60 * 1000;
    expect(outcome(await send(path, download))).toEqual(refusal);
  });

  it("opens an original and the stream of events", async () => {
    const { id } = await makeDraft(app.db);
    await app.context.storage.putBytes(sourceKey(id), "original");
    const ticket = await buy();
    const get = (path: string) =>
      fetch(app.url + path, { headers: { cookie, "sec-fetch-site": "same-origin" } });
    const original = `/api/admin/videos/${id}/original`;
    expect((await get(original)).status).toBe(403);
    expect(await (await get(`${original}?ticket=${ticket}`)).text()).toBe("original");
    expect((await get("/api/admin/events")).status).toBe(403);
    const stream = await get(`/api/admin/events?ticket=${ticket}`);
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    await stream.body?.cancel();
  });

  it("is part of the media addresses in responses to back-office pages", async () => {
    const token = "draft-media-token";
    const key = `v/${token}/thumbnail.webp`;
    await app.context.storage.putBytes(key, "picture");
    const files = { media_token: token, thumbnail_key: key };
    const { id, slug } = await makeDraft(app.db, files);
    const office = await openOffice();
    const { thumbnail } = (await send(`/api/videos/${id}`, office)).json;
    expect(thumbnail).toMatch(/^\/media\/ticket\/[\w.-]+\/v\/draft-media-token\/thumbnail\.webp$/);
    const list = (await send("/api/admin/videos?limit=1", office)).json;
    expect(list.videos[0].thumbnail).toBe(thumbnail);
    // Programs get the plain address.
    expect((await send(`/api/videos/${id}`, {})).json.thumbnail).toBe(`/media/${key}`);

    const get = (path: string, session = cookie) =>
      fetch(app.url + path, {
        headers: { cookie: session, "sec-fetch-site": "same-origin", "sec-fetch-dest": "image" },
      });
    // A page may store the address, so its ticket opens nothing else.
    const [, ticket = ""] = /ticket\/([^/]+)/.exec(thumbnail) ?? [];
    expect(outcome(await send(`/api/admin/stats?ticket=${ticket}`, byScript))).toEqual(refusal);
    expect((await get(thumbnail.replace(ticket, await buy()))).status).toBe(404);
    const page = (await send(`/video/${slug}`, inTab)).text;
    expect(page).toContain(thumbnail);
    expect(page).not.toContain(`/media/${key}`);
    const shown = await get(thumbnail);
    expect([shown.status, await shown.text()]).toEqual([200, "picture"]);
    expect(shown.headers.get("cache-control")).toBe("private, no-cache");
    expect((await get(`/media/${key}`)).status).toBe(404);
    expect((await get(thumbnail.replace(/ticket\/[^/]+/, "ticket/x.y"))).status).toBe(404);
    expect((await get(thumbnail, await app.signIn())).status).toBe(404);
    expect((await get(thumbnail, "")).status).toBe(404);
    now += 12 * 3600 * 1000;
    expect((await get(thumbnail)).status).toBe(404);
  });
});

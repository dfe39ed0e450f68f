import { beforeAll, expect, it } from "vitest";
import { createClient, useClient, useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";

const siteUrl = "https://videos.example";
const env = { SITE_URL: siteUrl };
const app = useTestApp({ pages: true, env });
/** Another process of the same site. */
const other = useTestApp(() => ({ pages: true, env, besides: app }));
const admin = useClient(app);
let id = "";
beforeAll(async () => {
  const pictured = { thumbnail_key: "v/harbour/picture.webp" };
  ({ id } = await makeVideo(app.db, { slug: "harbour", title: "Harbour", ...pictured }));
});

const save = async (settings: object) => {
  const { status, text } = await admin.call("POST", "/api/settings", settings);
  expect([status, text]).toEqual([200, expect.anything()]);
  await app.context.restrictions.refresh();
};
const setVideo = async (embedding: string) => {
  expect((await admin.call("PUT", `/api/videos/${id}`, { embedding })).status).toBe(200);
  await app.context.restrictions.refresh();
};

const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36" };
const get = (path: string, url = app.url) =>
  createClient(url).call("GET", path, undefined, browser);

/** Returns everything that depends on who may embed the video. */
async function read(url = app.url) {
  const ancestors = async (path: string) => {
    const { headers } = await get(path, url);
    expect(headers.has("x-frame-options")).toBe(false);
    const policy = headers.get("content-security-policy") ?? "";
    return (
      /frame-ancestors ([^;]+)/.exec(policy)?.[1] ?? (policy === "" ? "no policy" : "everyone")
    );
  };
  const page = (await get("/video/harbour", url)).text;
  const oEmbed = (format: string) =>
    get(`/api/oembed?url=${encodeURIComponent(`${siteUrl}/video/harbour`)}&format=${format}`, url);
  return {
    ancestors: [await ancestors("/embed/harbour"), await ancestors(`/de/embed/${id}`)],
    oEmbed: [(await oEmbed("json")).status, (await oEmbed("xml")).status],
    metadata: ["twitter:player", "og:video", "embedUrl"].filter((name) =>
      page.includes(`"${name}`),
    ),
    findsOEmbed: await Promise.all(
      ["/video/harbour", "/feed/harbour", "/de/embed/harbour"].map(async (path) =>
        (await get(path, url)).text.includes("json+oembed"),
      ),
    ),
    lists: await Promise.all(
      ["/feed.rss", "/sitemap.xml"].map(async (path) =>
        (await get(path, url)).text.includes(`${siteUrl}/embed/harbour`),
      ),
    ),
    hasPlayer: (await get("/embed/harbour", url)).text.includes('class="player"'),
    isPage: page.includes("Harbour"),
  };
}

const everywhere = {
  ancestors: ["everyone", "everyone"],
  oEmbed: [200, 200],
  metadata: ["twitter:player", "og:video", "embedUrl"],
  findsOEmbed: [true, true, true],
  lists: [true, true],
  hasPlayer: true,
  isPage: true,
};
const nowhere = {
  ancestors: ["'none'", "'none'"],
  oEmbed: [401, 401],
  metadata: [],
  findsOEmbed: [false, false, false],
  lists: [false, false],
  hasPlayer: false,
  isPage: true,
};
const listed =
  "'self' https://a.example https://*.example.org http://b.example:8080 https://*.xn--bcher-kva.example";

it("lets sites embed videos as the site's setting and the video's rule say, at once", async () => {
  expect(await read()).toEqual(everywhere);
  await setVideo("nobody");
  expect(await read()).toEqual(nowhere);
  await setVideo("site");
  expect(await read()).toEqual(everywhere);

  const embedOrigins = [
    "https://a.example",
    "*.Example.org/",
    "http://b.example:8080",
    "a.example",
    "*.Bücher.example",
  ];
  await save({ embedding: "listed", embedOrigins });
  const onListed = {
    ...everywhere,
    ancestors: [listed, listed],
    metadata: [],
    lists: [false, false],
  };
  expect(await read()).toEqual(onListed);

  await save({ embedding: "nobody" });
  expect(await read()).toEqual(nowhere);
  expect((await get("/embed/harbour")).text).toContain("Watch on");
  await setVideo("any");
  expect(await read()).toEqual(everywhere);
});

it("follows changes in other processes, too", async () => {
  expect(await read(other.url)).toEqual(everywhere);
  expect((await admin.call("PUT", `/api/videos/${id}`, { embedding: "site" })).status).toBe(200);
  await expect.poll(() => read(other.url)).toEqual(nowhere);
  await admin.call("POST", "/api/settings", { embedding: "any" });
  await expect.poll(() => read(other.url)).toEqual(everywhere);
});

it("lets the same sites frame the age page", async () => {
  const ancestors = async () => (await read()).ancestors;
  await setVideo("site");
  await save({ embedding: "listed", embedOrigins: ["a.example"], ageGate: true });
  expect(await ancestors()).toEqual(Array(2).fill("'self' https://a.example"));
  await save({ embedding: "nobody" });
  expect(await ancestors()).toEqual(["'none'", "'none'"]);
  await setVideo("any");
  expect(await ancestors()).toEqual(["everyone", "everyone"]);
  await save({ ageGate: false });
});

it.each([
  ["https://a.example/path", "a.example/path"],
  ["*.github.io", "github.io"],
  ["co.uk", "co.uk"],
  ["*", "*"],
  ["javascript:alert(1)", "javascript:alert(1)"],
  ["a.example; script-src *", "a.example; script-src *"],
  ["a.example:99999", "a.example:99999"],
  ["bücher.example@b.example", "bücher.example@b.example"],
  [`${"a".repeat(90)}.example`, "a".repeat(80)],
])("refuses the listed site %s by name", async (site, name) => {
  const body = { embedOrigins: ["https://good.example", site] };
  const { status, json } = await admin.call("POST", "/api/settings", body);
  expect(status).toBe(400);
  const [issue] = json.issues;
  expect(issue.path).toMatch(/^embedOrigins/);
  expect(issue.message).toContain(name);
});

it("refuses a list of 10,000 sites, and keeps the old one", async () => {
  await save({ embedOrigins: ["https://a.example"] });
  const embedOrigins = Array.from({ length: 10_000 }, (_, at) => `https://site-${at}.example`);
  const { status, json } = await admin.call("POST", "/api/settings", { embedOrigins });
  expect([status, json.issues[0].message]).toEqual([400, "at most 100 sites"]);
  expect((await admin.call("GET", "/api/settings")).json.embedOrigins).toEqual([
    "https://a.example",
  ]);
});

it("records who changed the setting", async () => {
  await save({ embedding: "any" });
  const { json } = await admin.call("GET", "/api/admin/audit?limit=1");
  expect(JSON.stringify(json)).toContain('"embedding"');
});

import { createSecretKey } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestCore } from "#test/http-core.ts";
import type { PageApi, ServerPageApi } from "#contract/site/page-api.ts";
import { createPageTokens } from "#server/http/access/page-token.ts";
import type { App } from "#server/http/app.ts";
import { systemClock } from "#server/lib/clock.ts";
import type { PageRenderer } from "./pages/page-renderer.ts";
import { createPageSender, registerNotFound } from "./pages.routes.ts";

let app: App;
const rendered: string[] = [];
beforeAll(async () => {
  app = createTestCore().app;
  registerNotFound(app, async (request, reply) => {
    rendered.push(request.url);
    return reply.send("page");
  });
  await app.ready();
});
afterAll(() => app.close());

it("renders no page for an address that contains NUL or invalid UTF-8", async () => {
  for (const path of ["/video/%00", "/embed/a%00", "/video/%FF", "/home?search=%00"]) {
    const response = await app.inject({ method: "GET", url: path });
    expect({ path, status: response.statusCode }).toEqual({ path, status: 404 });
    expect(response.json()).toMatchObject({ code: "not_found" });
  }
  expect(rendered).toEqual([]);
  expect((await app.inject({ method: "GET", url: "/video/caf%C3%A9" })).body).toBe("page");
});

/** Creates a site without routes, whose pages are the results of `render`. */
function createSite(
  options: Parameters<typeof createTestCore>[0],
  render: PageRenderer["render"],
): App {
  const core = createTestCore({ responseCache: true, ...options });
  const { app: site, cacheQuery } = core;
  cacheQuery.declare("/video/:slug", []);
  site.decorateRequest("user", null);
  site.decorateRequest("mediaTicket", null);
  core.shareResponses();
  registerNotFound(
    site,
    createPageSender({
      renderer: {
        isLive: false,
        scriptSources: [],
        pageQueries: {},
        render,
        close: () => Promise.resolve(),
      },
      pageApi: () => ({}) as PageApi,
      serverApi: {} as ServerPageApi,
      pageTokens: createPageTokens({
        secret: createSecretKey(Buffer.from("secret")),
        clock: systemClock,
      }),
      siteUrl: async () => "http://localhost",
      siteLanguage: async () => "en",
      ownTexts: async () => null,
      isUnlisted: async (place) => place === "/pages/hidden",
      allowsAi: async () => true,
      adOrigins: async () => ["https://ads.example"],
      embedding: async () => ({ embedding: "any", embedOrigins: [] }),
      blockedVideoPage: () => ({ html: "", headers: {} }),
      findOldAddress: async () => null,
      isUnknown: (url) => cacheQuery.isUnknown(url),
    }),
  );
  return site;
}

it("keeps pages with a secret in their address out of caches, referrers and windows of ads", async () => {
  const site = createSite({ cdnMaxAgeS: 5 }, async () => ({ status: 200, html: Buffer.from("x") }));
  const read = async (url: string) => {
    const { statusCode, headers } = await site.inject({ method: "GET", url });
    const policy = String(headers["content-security-policy"]);
    return {
      status: statusCode,
      cache: headers["cache-control"],
      referrer: headers["referrer-policy"],
      opener: headers["cross-origin-opener-policy"],
      hasAdScripts: policy.includes("https://ads.example"),
      ancestors: /frame-ancestors ([^;]+)/.exec(policy)?.[1],
    };
  };
  const secret = { cache: "private, no-store", referrer: "no-referrer" };
  const apart = { opener: "same-origin", hasAdScripts: false, ancestors: "'none'" };
  for (const url of [
    ...["/auth/reset?token=a", "/auth/invitation?token=a", "/setup?token=a", "/private/abc"],
    ...["/Auth/Reset/?token=a", "/de/private/abc", "/private/abc?t=1"],
  ]) {
    expect({ url, ...(await read(url)) }).toEqual({ url, status: 200, ...secret, ...apart });
  }
  for (const url of ["/de/auth/reset?token=a", "/en/private/abc"]) {
    expect(await read(url)).toMatchObject({ status: 301, ...secret });
  }
  for (const url of ["/auth/signin", "/report/a", "/takedown", "/library", "/partner", "/admin"]) {
    expect({ url, ...(await read(url)) }).toMatchObject({ url, status: 200, ...apart });
  }
  const open = { opener: undefined, hasAdScripts: true, ancestors: "'self'" };
  for (const url of ["/home", "/video/a", "/de/video/a"]) {
    expect({ url, ...(await read(url)) }).toMatchObject({ url, status: 200, ...open });
  }
  expect((await read("/video/a")).cache).toContain("s-maxage=5");
  expect(await read("/embed/a")).toMatchObject({ opener: undefined, ancestors: undefined });
  await site.close();
});

it("asks search engines not to list pages that the operator hides from them", async () => {
  const site = createSite({}, async () => ({ status: 200, html: Buffer.from("page") }));
  await site.ready();
  for (const [url, robots] of [
    ["/pages/hidden", "noindex"],
    ["/pages/shown", undefined],
  ]) {
    const { headers } = await site.inject({ method: "GET", url });
    expect(headers["x-robots-tag"]).toBe(robots);
  }
  await site.close();
});

it("renders the same page for all unknown addresses, and responds with 503 if the database fails", async () => {
  const urls: string[] = [];
  const site = createSite({}, async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/video/away") return { status: 503, html: Buffer.from("Later.") };
    urls.push(pathname);
    return { status: 404, html: Buffer.from("Not found.") };
  });
  const origin = await site.listen({ port: 0, host: "127.0.0.1" });
  try {
    const paths = ["/first", "/second?x=1", "/wp-admin/x.php", "/video/one", "/video/one"];
    for (const method of ["HEAD", "GET"]) {
      for (const path of paths) {
        const response = await fetch(origin + path, { method });
        const text = await response.text();
        expect(response.status).toBe(404);
        if (method === "GET") expect(text).toBe("Not found.");
      }
    }
    // The database may become unreachable while a page is rendered.
    const away = await fetch(`${origin}/video/away`);
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "2"]);
    // At any time, a video may be published at its address.
    expect(urls).toEqual(["/first", ...Array.from({ length: 4 }, () => "/video/one")]);
  } finally {
    await site.close();
  }
});

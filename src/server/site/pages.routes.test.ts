import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestCore } from "#test/http-core.ts";
import type { PageApi, ServerPageApi } from "#contract/site/page-api.ts";
import { type App } from "#server/http/app.ts";
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

it("renders the same page for all unknown addresses, and responds with 503 if the database fails", async () => {
  const core = createTestCore({ responseCache: true });
  const { app: site, cacheQuery } = core;
  const urls: string[] = [];
  cacheQuery.declare("/video/:slug", []);
  site.decorateRequest("user", null);
  core.shareResponses();
  registerNotFound(
    site,
    createPageSender({
      renderer: {
        isLive: false,
        scriptSources: [],
        render: async ({ url }) => {
          const { pathname } = new URL(url);
          if (pathname === "/video/away") return { status: 503, html: Buffer.from("Later.") };
          urls.push(pathname);
          return { status: 404, html: Buffer.from("Not found.") };
        },
        close: () => Promise.resolve(),
      },
      pageApi: () => ({}) as PageApi,
      serverApi: {} as ServerPageApi,
      siteUrl: async () => "http://localhost",
      siteLanguage: async () => "en",
      ownTexts: async () => null,
      adOrigins: async () => [],
      blockedVideoPage: () => ({ html: "", headers: {} }),
      isUnknown: (url) => cacheQuery.isUnknown(url),
    }),
  );
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

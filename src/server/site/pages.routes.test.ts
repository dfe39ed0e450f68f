import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../lib/logger.ts";
import { createHttpCore, type App } from "../http/app.ts";
import { registerNotFound } from "./pages.routes.ts";

let app: App;
const rendered: string[] = [];
beforeAll(async () => {
  app = createHttpCore({ trustProxy: [], responseCache: false }, createLogger("silent")).app;
  registerNotFound(app, async (request, reply) => {
    rendered.push(request.url);
    return reply.send("page");
  });
  await app.ready();
});
afterAll(() => app.close());

it("renders no page for an address with NUL, control characters or invalid UTF-8", async () => {
  for (const path of [
    "/video/%00",
    "/embed/a%00",
    "/video/%1f",
    "/video/%FF",
    "/home?search=%00",
  ]) {
    const response = await app.inject({ method: "GET", url: path });
    expect({ path, status: response.statusCode }).toEqual({ path, status: 404 });
    expect(response.json()).toMatchObject({ code: "not_found" });
  }
  expect(rendered).toEqual([]);
  expect((await app.inject({ method: "GET", url: "/video/caf%C3%A9" })).body).toBe("page");
});

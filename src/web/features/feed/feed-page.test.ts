// @vitest-environment happy-dom
import { RouterContextProvider, type LoaderFunctionArgs } from "react-router";
import { expect, test, vi } from "vitest";
import type { PageApi } from "#contract/site/page-api.ts";
import { browserApi } from "#web/lib/api/page-api.ts";
import { pageApiContext } from "#web/lib/page/page-route.ts";
import { changeSteering } from "./core/steering.ts";
import { loader } from "./feed-page.tsx";

test.each([
  ["503 without a status", new Error("connection lost"), 503],
  ["the status of the failure", Object.assign(new Error("too many"), { status: 429 }), 429],
])("responds with %s if the feed can't be loaded", async (_name, error, status) => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const context = new RouterContextProvider();
  const feedHead = () => Promise.reject(error);
  context.set(pageApiContext, { feedHead } as unknown as PageApi);
  const result = await loader({ params: {}, context } as unknown as LoaderFunctionArgs);
  expect(result.init?.status).toBe(status);
  expect(result.data).toMatchObject({ hasFailed: true, videos: [] });
});

test.each([
  [undefined, "/api/feed?personal=false&not=a&less=t"],
  ["b", "/api/feed?shown=b&personal=false&not=a&less=t"],
])("sends the visitor's preferences with the first request (clip: %s)", async (slug, path) => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const sent = vi.fn<(path: string) => Promise<Response>>(() =>
    Promise.resolve(new Response(null, { status: 503 })),
  );
  vi.stubGlobal("fetch", sent);
  changeSteering({ isPersonal: false, not: "a", less: "t" });
  const context = new RouterContextProvider();
  context.set(pageApiContext, browserApi);
  await loader({ context, params: { slug } } as unknown as LoaderFunctionArgs);
  expect(sent.mock.calls.map(([each]) => each)).toContain(path);
});

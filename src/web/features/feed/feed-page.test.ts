import { RouterContextProvider, type LoaderFunctionArgs } from "react-router";
import { expect, test, vi } from "vitest";
import type { PageApi } from "#contract/site/page-api.ts";
import { pageApiContext } from "#web/lib/page/page-context.ts";
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

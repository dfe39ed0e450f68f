import { RouterContextProvider, type LoaderFunctionArgs } from "react-router";
import { expect, test, vi } from "vitest";
import type { PageApi } from "#contract/site/page-api.ts";
import { pageApiContext } from "#web/lib/page/page-route.ts";
import { singlePage } from "./single-page.tsx";

test("lists the videos of a label that is opened by its id", async () => {
  const id = "01900000-0000-7000-8000-000000000001";
  const listVideos = vi.fn(async () => ({ videos: [], total: 0, nextCursor: null }));
  const context = new RouterContextProvider();
  context.set(pageApiContext, {
    getLabel: async () => ({ id, slug: "cats", name: "Cats" }),
    publicSettings: async () => ({ browseListings: true }),
    listVideos,
  } as unknown as PageApi);
  const request = new Request(`https://site.example/tags/${id}`);
  const args = { request, params: { slug: id }, context } as unknown as LoaderFunctionArgs;
  await singlePage("tags").loader(args);
  expect(listVideos).toHaveBeenCalledWith(expect.objectContaining({ tag: "cats" }));
});

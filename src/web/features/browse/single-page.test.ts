// @vitest-environment happy-dom
import { RouterContextProvider, type LoaderFunctionArgs } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import type { PageApi } from "#contract/site/page-api.ts";
import { pageApiContext } from "#web/lib/page/page-route.ts";
import { siteOf } from "#web/lib/page/site.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import { singlePage } from "./single-page.tsx";

afterEach(() => library.forget());

async function loadTag(slug: string) {
  const listVideos = vi.fn(async () => ({ videos: [], total: 0, nextCursor: null }));
  const context = new RouterContextProvider();
  context.set(pageApiContext, {
    getLabel: async () => ({ id: "1", slug: "cats", name: "Cats" }),
    publicSettings: async () => ({ browseListings: true }),
    listVideos,
  } as unknown as PageApi);
  const request = new Request(`https://site.example/tags/${slug}`);
  const args = { request, params: { slug }, context } as unknown as LoaderFunctionArgs;
  await singlePage("tags").loader(args);
  return listVideos;
}

test("lists the videos of a label that is opened by its id", async () => {
  expect(await loadTag("1")).toHaveBeenCalledWith(expect.objectContaining({ tag: "cats" }));
});

test.each(["kittens", "Kittens"])("follows a label at its new address, from %s", async (slug) => {
  library.toggleFollow({ kind: "tags", slug: "kittens", name: "Kittens" });
  await loadTag(slug);
  const renamed = [{ kind: "tags", slug: "cats", name: "Cats" }];
  expect(library.get().follows).toEqual(renamed);
  await loadTag("Cats");
  expect(library.get().follows).toEqual(renamed);
});

test("shares the picture of a label", async () => {
  const data = {
    ...{ name: "Cats", slug: "cats", description: null, picture: "/media/public/cats.webp" },
    ...{ series: null, result: null },
  };
  const url = new URL("https://a.example/categories/cats");
  const site = siteOf(null, url.origin);
  const head = await singlePage("categories").handle.head?.({ data, params: {}, url, site });
  expect(head?.meta).toContainEqual({
    name: "og:image",
    content: "https://a.example/media/public/cats.webp",
  });
});

// @vitest-environment happy-dom
import { RouterContextProvider, type LoaderFunctionArgs } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import type { PageApi } from "#contract/site/page-api.ts";
import type { Video } from "#contract/videos/videos.ts";
import { followLanguage } from "#web/lib/language/page-language.ts";
import { pageApiContext } from "#web/lib/page/page-route.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import { ApiError } from "#web/lib/api/http.ts";
import { loadWatchable } from "./load-video.ts";

afterEach(() => {
  followLanguage(() => undefined);
  library.forget();
});

function load(path: string, slug: string, getVideo: () => Promise<Video>) {
  const context = new RouterContextProvider();
  context.set(pageApiContext, { getVideo } as unknown as PageApi);
  const request = new Request(`https://site.example${path}`);
  return loadWatchable({ params: { slug }, request, context } as unknown as LoaderFunctionArgs);
}

/** Returns the address to which an old address of the video redirects. */
async function locationOf(path: string, slug: string): Promise<string | null> {
  const video = { id: "0190-1", slug: "my-video" } as Video;
  const thrown = await load(path, slug, async () => video).catch((error: unknown) => error);
  return thrown instanceof Response ? thrown.headers.get("location") : null;
}

test.each([
  ["/video/video?t=1", "video", "/video/my-video?t=1"],
  ["/video/e", "e", "/video/my-video"],
  ["/video/id/", "id", "/video/my-video"],
  ["/embed/embed", "embed", "/embed/my-video"],
  ["/video/caf%c3%a9", "café", "/video/my-video"],
])("redirects the old address %s of a video", async (path, slug, location) => {
  expect(await locationOf(path, slug)).toBe(location);
});

test.each(["old", "Old"])("renames a video in the library if a link led to %s", async (slug) => {
  library.addLater({ slug: "old", title: "Old", thumbnail: null, durationS: 1 });
  await locationOf(`/video/${slug}`, slug);
  expect(library.get().later.map(({ slug }) => slug)).toEqual(["my-video"]);
});

test("redirects to an address without the language, which the router adds", async () => {
  followLanguage(() => ({ code: "ar", prefix: "/ar", texts: null }));
  expect(await locationOf("/ar/video/ar", "ar")).toBe("/video/my-video");
});

test("leaves a video that is blocked in this country to the server, unless a playlist continues", async () => {
  const assign = vi.spyOn(window.location, "assign").mockReturnValue();
  const getVideo = () => Promise.reject(new ApiError(451, { code: "blocked_country" }));
  await expect(load("/video/e?list=queue", "e", getVideo)).rejects.toMatchObject({
    init: { status: 404 },
  });
  expect(assign).not.toHaveBeenCalled();
  void load("/de/video/e?t=1", "e", getVideo);
  await vi.waitFor(() =>
    expect(assign).toHaveBeenCalledWith("https://site.example/de/video/e?t=1"),
  );
});

test("loads a video by its slug or id without a redirect", async () => {
  expect(await locationOf("/video/My-Video", "My-Video")).toBeNull();
  expect(await locationOf("/video/0190-1", "0190-1")).toBeNull();
});

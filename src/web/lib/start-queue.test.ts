// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { failure, stubFetch } from "#test/harness/stub-fetch.ts";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
import { toCardList } from "./lists/card-video.ts";
import { rememberList } from "./lists/list-memory.ts";
import { queueMax, readQueue, writeQueue } from "./play-queue.ts";
import { startQueue } from "./start-queue.ts";

afterEach(() => sessionStorage.clear());

const page = (from: number, count: number, nextCursor: string | null) => ({
  videos: Array.from({ length: count }, (_, at) =>
    adminVideo({ slug: `v${from + at}`, title: `Video ${from + at}` }),
  ),
  total: 500,
  nextCursor,
});
const start = (memoryKey: string, list = toCardList(page(0, 12, "next"))) =>
  startQueue({
    memoryKey,
    list,
    query: { search: "tides", category: "", sort: "trending" },
    name: "Tides",
    from: "/search?search=tides",
  });
const slugs = () => readQueue()?.videos.map(({ slug }) => slug);

it("queues the list in the order seen, up to the limit", async () => {
  const { sentTo } = stubFetch({
    "GET /api/videos": ({ url }: { url: string }) =>
      url.includes("cursor=next") ? page(10, 100, "last") : page(110, 100, "more"),
  });
  expect(await start("new")).toBe("/video/v0?list=queue");
  expect(readQueue()).toMatchObject({ name: "Tides", href: "/search?search=tides" });
  expect(slugs()).toEqual(Array.from({ length: queueMax }, (_, at) => `v${at}`));
  const [first] = sentTo("GET /api/videos");
  const params = new URL(first?.url ?? "", "http://site.test").searchParams;
  expect(Object.fromEntries(params)).toEqual({
    search: "tides",
    sort: "trending",
    published: "true",
    limit: "100",
    cursor: "next",
  });
});

it("includes pages that were loaded while scrolling", async () => {
  rememberList("grown", toCardList(page(5, 24, null)));
  await start("grown");
  expect(slugs()).toHaveLength(24);
  expect(slugs()?.[0]).toBe("v5");
});

it("ends with the last video on screen if the others can't be loaded", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  stubFetch({ "GET /api/videos": failure(503, "no") });
  await start("offline");
  expect(slugs()).toHaveLength(12);
});

it.each([
  ["text", "no list"],
  ["a path of another site", JSON.stringify({ name: "x", href: "//evil.test", videos: [] })],
  ["no videos", JSON.stringify({ name: "x", href: "/trending" })],
])("ignores a stored queue that is %s", (_, stored) => {
  sessionStorage.setItem("queue", stored);
  expect(readQueue()).toBeNull();
});

it("leaves out stored videos without a slug", () => {
  const videos = [{ slug: "a", title: "A", thumbnail: null }, { title: "B" }, null];
  sessionStorage.setItem("queue", JSON.stringify({ name: "x", href: "/trending", videos }));
  expect(slugs()).toEqual(["a"]);
});

it("survives a reload in the same tab", () => {
  writeQueue({
    name: "x",
    href: "/trending",
    videos: [{ slug: "a", title: "A", thumbnail: "/a" }],
  });
  expect(JSON.parse(sessionStorage.getItem("queue") ?? "")).toEqual(readQueue());
});

// @vitest-environment happy-dom
import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPublicPage } from "#web/app/public-page.fixture.tsx";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";

const label = {
  id: "11111111-1111-4111-8111-111111111111",
  name: "Holidays",
  slug: "holidays",
  description: null,
  imageUrl: null,
  coverUrl: null,
  videoCount: 2,
  isSeries: true,
  isPodcast: false,
  runningTimeS: 3900,
  createdAt: "2026-03-04T10:00:00.000Z",
};
const videos = ["one", "two"].map((slug, at) => ({
  ...adminVideo({ slug, title: `Part ${slug}` }),
  part: { number: at + 1, in: "tags.holidays" },
}));
const list = { videos, total: 2, nextCursor: null };

it("lists a series in order with numbers, its running time and a link that plays all", async () => {
  const { server } = await openPublicPage("/tags/holidays", {
    "GET /api/tags/holidays": label,
    "GET /api/videos": list,
  });
  await screen.findByText("1 hour, 5 minutes in total");
  expect(server.sentTo("GET /api/videos")[0]?.url).toContain("sort=part");
  const hrefs = screen
    .getAllByRole("link", { name: /Part/ })
    .map((link) => [link.querySelector(".card-part")?.textContent, link.getAttribute("href")]);
  expect(hrefs).toEqual([
    ["1", "/video/one?in=tags.holidays"],
    ["2", "/video/two?in=tags.holidays"],
  ]);
  const play = screen.getByRole("link", { name: "Play all" });
  expect(play.getAttribute("href")).toBe("/video/one?in=tags.holidays");
});

it("queues the videos of a label that isn't a series", async () => {
  const plain = videos.map(({ part: _, ...video }) => video);
  const { router } = await openPublicPage("/tags/holidays", {
    "GET /api/tags/holidays": { ...label, isSeries: false, runningTimeS: undefined },
    "GET /api/videos": { ...list, videos: plain },
    // The navigation is enough. The page of the video never loads.
    "GET /api/videos/one": new Promise(() => undefined),
    "GET /api/videos/one/related": new Promise(() => undefined),
  });
  expect((await screen.findByRole("link", { name: "Play all" })).getAttribute("href")).toBe(
    "/video/one",
  );
  const opened = Promise.withResolvers<string>();
  router.subscribe(({ navigation }) => {
    if (navigation.location !== undefined) opened.resolve(navigation.location.search);
  });
  await act(async () => {
    fireEvent.click(screen.getByRole("link", { name: "Play all" }));
    expect(await opened.promise).toBe("?list=queue");
  });
  expect(JSON.parse(sessionStorage.getItem("queue") ?? "")).toMatchObject({
    name: "#Holidays",
    href: "/tags/holidays",
    videos: [{ slug: "one" }, { slug: "two" }],
  });
  sessionStorage.clear();
});

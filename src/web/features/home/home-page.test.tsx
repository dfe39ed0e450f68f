// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { limits } from "#contract/limits.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { press } from "#test/harness/press.ts";
import { openPublicPage } from "#web/app/public-page.fixture.tsx";
import { siteOf } from "#web/lib/page/site.ts";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";

const listOf = (...titles: string[]) => ({
  videos: titles.map((title, index) => adminVideo({ slug: `video-${index}`, title })),
  total: titles.length,
  nextCursor: null,
});

const openHome = (reply: unknown, search = "") =>
  openPublicPage(`/home${search}`, { "GET /api/videos": reply });

const queries = ({ sentTo }: { sentTo: (key: string) => { url: string }[] }) =>
  sentTo("GET /api/videos").map(({ url }) =>
    Object.fromEntries(new URL(url, "http://site.test").searchParams),
  );
const newest = { published: "true", limit: "12", sort: "newest" };

test("reports that fetching videos failed, and retries without filters", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const { server } = await openHome(failure(503, "no"), "?sort=top_rated");
  await screen.findByText("Failed to fetch videos: 503");
  server.reply("GET /api/videos", listOf("Tides"));
  press("Try Again");
  await screen.findByText("Tides");
  expect(queries(server)).toEqual([{ ...newest, sort: "top_rated" }, newest]);
  expect(window.location.search).toBe("");
  screen.getByRole("button", { name: "Newest", pressed: true });
});

test("shows that a search has no results", async () => {
  await openHome(listOf(), "?search=zzzz");
  await screen.findByText("No videos found");
});

test("applies a sort after a moment, and leaves newest out of the address", async () => {
  const { server } = await openHome(listOf("Tides"));
  press("Most Viewed");
  await act(() => vi.advanceTimersByTimeAsync(limits.searchQuietMs / 2));
  expect([window.location.search, queries(server)]).toEqual(["", [newest]]);
  await waitFor(() => expect(window.location.search).toBe("?sort=most_viewed"));
  await screen.findByRole("button", { name: "Most Viewed", pressed: true });
  press("Newest");
  await waitFor(() => expect(window.location.search).toBe(""));
  expect(queries(server)).toEqual([newest, { ...newest, sort: "most_viewed" }, newest]);
});

test("sorts a search and its further pages by relevance unless another order is chosen", async () => {
  const reply = { ...listOf("Moon"), total: 2, nextCursor: "next" };
  const { router, server } = await openHome(reply, "?search=moon");
  const { sort: _newest, ...byRelevance } = { ...newest, search: "moon" };
  fireEvent.click(screen.getByText("Load more"));
  await waitFor(() =>
    expect(queries(server)).toEqual([byRelevance, { ...byRelevance, cursor: "next" }]),
  );
  await act(() => router.navigate("/home?search=moon&sort=top_rated"));
  expect(queries(server).at(-1)).toEqual({ ...byRelevance, sort: "top_rated" });
});

test("keeps the category and the order of a search in the link to more filters", async () => {
  const query = "?search=moon&category=Teen&sort=top_rated";
  await openHome(listOf("Moon"), query);
  const link = await screen.findByRole("link", { name: "Filter by length, date and quality" });
  expect(link.getAttribute("href")).toBe(`/search${query}`);
});

test("filters by category until its active choice or its chip is pressed", async () => {
  await openHome(listOf("Tides"));
  press("Categories");
  const choices = await screen.findByRole("group", { name: "Categories" });
  for (const end of ["Teen", "Remove filter: Teen"]) {
    press("Teen", choices);
    await waitFor(() => expect(window.location.search).toBe("?category=Teen"));
    await screen.findByRole("button", { name: "Remove filter: Teen" });
    press(end, end === "Teen" ? choices : document.body);
    await waitFor(() => expect(window.location.search).toBe(""));
  }
  expect(within(document.body).queryByText("Remove filter: Teen")).toBeNull();
});

test("shows pinned labels as rows, except in searches and filters", async () => {
  const { settings } = siteOf(null, "");
  const labelled = (slug: string) => ({ id: adminVideo().id, name: `Name of ${slug}`, slug });
  const row = {
    ...listOf("Pinned"),
    videos: [
      {
        ...adminVideo({ slug: "pinned", title: "Pinned", tags: [{ tag: labelled("beach") }] }),
        part: { number: 1, in: "tags.beach" },
      },
    ],
  };
  const { router, server } = await openPublicPage("/home", {
    "GET /api/settings/public": { ...settings, pinnedLabels: ["tags/beach", "actors/empty"] },
    "GET /api/videos": ({ url }: { url: string }) =>
      url.includes("tag=beach") ? row : url.includes("actor=") ? listOf() : listOf("Tides"),
  });
  const pinned = within(await screen.findByRole("region", { name: "#Name of beach" }));
  expect(pinned.getByRole("link", { name: /Pinned/ }).getAttribute("href")).toBe(
    "/video/pinned?in=tags.beach",
  );
  expect(pinned.getByRole("link", { name: /See all/ }).getAttribute("href")).toBe("/tags/beach");
  expect(screen.queryByRole("region", { name: /empty/ })).toBeNull();
  for (const search of ["?search=tides", "?category=Teen", "?cursor=abc"]) {
    const before = server.sent.length;
    await act(() => router.navigate(`/home${search}`));
    await screen.findByText("Tides");
    expect(screen.queryByRole("region", { name: "#Name of beach" })).toBeNull();
    expect(server.sent.slice(before).filter(({ url }) => url.includes("tag="))).toEqual([]);
  }
});

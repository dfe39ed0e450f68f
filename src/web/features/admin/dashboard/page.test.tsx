// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { press } from "#test/harness/press.ts";
import { failure, type Reply } from "#test/harness/stub-fetch.ts";
import { newSettings } from "../settings/settings.fixture.ts";
import { firstStepsKey } from "#web/lib/device-storage.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const id = "00000000-0000-4000-8000-000000000001";
const createdAt = "2026-03-04T10:00:00.000Z";
const totals = {
  totalVideos: 2,
  totalCategories: 3,
  totalTags: 1,
  totalActors: 4,
  totalViews: 1300,
  totalLikes: 9,
  recentVideos: [{ id, title: "Fresh one", createdAt, views: 1234 }],
};
const nothing = { plays: 0, watchTimeS: 0, likes: 0, adImpressions: 0, adClicks: 0 };
const statistics = {
  days: ["2026-03-03", "2026-03-04"].map((date) => ({ ...nothing, date })),
  before: nothing,
  topVideos: [],
};
const audience = {
  curve: { plays: 3, parts: null },
  origins: [{ origin: "search", plays: 3 }],
  countries: [{ name: "DE", plays: 3 }],
  devices: [{ device: "tv", plays: 3 }],
};
const queueOf = (videos: object[]) => ({ processing: 0, finishing: 0, failed: 0, videos });
const system = {
  queue: queueOf([]),
  storage: { originalBytes: 0, renditionBytes: 0, freeBytes: null },
  lastBackupAt: null,
  watchedFolder: null,
};

const open = (replies: Record<string, Reply> = {}) =>
  openAdminPage("/admin", {
    "GET /api/admin/stats": totals,
    "GET /api/admin/statistics": statistics,
    "GET /api/admin/system": system,
    "GET /api/admin/statistics/audience": audience,
    "GET /api/settings": newSettings,
    "GET /api/videos": { videos: [], total: 0, nextCursor: null },
    ...replies,
  });

it("shows the six tiles and the recent videos with date and views", async () => {
  await open();
  for (const [label, value] of [
    ["Total Videos", "2"],
    ["Categories", "3"],
    ["Tags", "1"],
    ["Actors", "4"],
    ["Views", (1300).toLocaleString()],
    ["Likes", "9"],
  ]) {
    await screen.findByRole("link", { name: `${label} ${value}` });
  }
  const recent = within(screen.getByRole("region", { name: "Recent Videos" }));
  const link = recent.getByRole("link", { name: /Fresh one/ });
  expect(link.getAttribute("href")).toMatch(/^\/admin\/videos\/[\w-]+$/);
  const row = within(link);
  row.getByText(`${(1234).toLocaleString()} views`);
  row.getByText(new Date(createdAt).toLocaleDateString());
});

it("shows No videos found on an empty site", async () => {
  await open({ "GET /api/admin/stats": { ...totals, totalVideos: 0, recentVideos: [] } });
  const recent = within(await screen.findByRole("region", { name: "Recent Videos" }));
  await recent.findByText("No videos found");
});

it("shows Failed to load dashboard stats, and loads them on Try Again", async () => {
  const { server } = await open({ "GET /api/admin/stats": failure(404) });
  await screen.findByText("Failed to load dashboard stats");
  server.reply("GET /api/admin/stats", totals);
  press("Try Again");
  await screen.findByRole("link", { name: "Total Videos 2" });
});

it("shows the selected days as a chart and a table, and moves through them by keyboard", async () => {
  const days = statistics.days.map((day, at) => ({
    ...day,
    plays: at === 1 ? 321 : 0,
    watchTimeS: 3600,
  }));
  const { server, router } = await open({
    "GET /api/admin/statistics?days=7": { ...statistics, days },
  });
  press("7 days");
  await screen.findByRole("button", { name: /^Plays ?321/ });
  expect(router.state.location.search).toBe("?days=7");
  expect(server.sent.some(({ url }) => url === "/api/admin/statistics?days=30")).toBe(true);
  const chart = screen.getByRole("slider", { name: "Plays per day" });
  fireEvent.keyDown(chart, { key: "End" });
  expect(chart.getAttribute("aria-valuetext")).toContain("321");
  fireEvent.click(screen.getByText("Show as table"));
  expect(screen.getAllByRole("row")).toHaveLength(3);
  press(/^Watch time ?2 h/);
  await screen.findByRole("slider", { name: "Watch time per day" });
});

it("marks the current day of the site's time zone as unfinished", async () => {
  const { router } = await open();
  // The next day has begun in Tokyo.
  vi.setSystemTime("2026-03-03T18:00:00Z");
  await act(() => router.navigate("/admin?days=7"));
  fireEvent.click(await screen.findByText("Show as table"));
  screen.getByRole("rowheader", { name: "2026-03-04, so far" });
  screen.getByRole("rowheader", { name: "2026-03-03" });
});

it("shows the processing queue as it moves, without a reload", async () => {
  const video = { id, title: "In the queue", status: "processing", progress: 0.1 };
  const { server, sendEvent } = await open({
    "GET /api/admin/system": { ...system, queue: { ...queueOf([video]), processing: 1 } },
  });
  const queue = within(await screen.findByRole("region", { name: "Processing" }));
  await queue.findByText("10%");
  const event = {
    type: "video",
    id,
    status: "processing",
    failureReason: null,
    isPublished: false,
    thumbnail: null,
    version: 1,
  } as const;
  sendEvent({ ...event, progress: 0.4 });
  await queue.findByText("40%");
  expect(server.sentTo("GET /api/admin/system")).toHaveLength(1);
  server.reply("GET /api/admin/system", system);
  sendEvent({ ...event, status: "ready", progress: 1 });
  await queue.findByText("Nothing is being processed.");
});

it("lists the first steps until they are done", async () => {
  await open({ "GET /api/settings": { ...newSettings, siteName: "Lantern" } });
  const steps = within(await screen.findByRole("region", { name: "First steps" }));
  expect(steps.getAllByRole("listitem")).toHaveLength(6);
  steps.getByText("2 of 6 done");
  within(steps.getByRole("link", { name: /^Name the site/ })).getByText("Done");
  const publish = steps.getByRole("link", { name: "Publish a video" });
  expect(publish.getAttribute("href")).toBe("/admin/videos?state=draft");
  const logo = steps.getByRole("link", { name: "Add a logo" });
  expect(logo.getAttribute("href")).toBe("/admin/settings#section-branding");
});

const findSteps = () => screen.queryByRole("region", { name: "First steps" });

it("hides the first steps once all are done", async () => {
  await open({
    "GET /api/admin/system": { ...system, lastBackupAt: createdAt },
    "GET /api/settings": {
      ...newSettings,
      siteName: "a",
      logoUrl: "/b",
      siteUrl: "https://c.test",
    },
    "GET /api/videos": { videos: [], total: 1, nextCursor: null },
  });
  await screen.findByText("Fresh one");
  await screen.findByText("Nothing is being processed.");
  expect(findSteps()).toBeNull();
});

it("hides the first steps once they are dismissed, and remembers it", async () => {
  await open();
  await screen.findByRole("region", { name: "First steps" });
  press("Dismiss");
  expect(findSteps()).toBeNull();
  expect(localStorage.getItem(firstStepsKey)).not.toBeNull();
});

it("shows no first steps after they were dismissed", async () => {
  localStorage.setItem(firstStepsKey, "1");
  const { server } = await open();
  await screen.findByText("Nothing is being processed.");
  expect(findSteps()).toBeNull();
  expect(server.sentTo("GET /api/settings")).toEqual([]);
});

it("shows devices, countries and origins, and says when curves appear", async () => {
  await open();
  const panel = within(await screen.findByRole("region", { name: "Audience" }));
  panel.getByText("The curves appear after 20 counted plays. So far there are 3.");
  for (const name of ["Search", "Germany", "TV"]) {
    expect(panel.getByRole("progressbar", { name })).toHaveProperty("value", 100);
  }
  expect(panel.getByRole("link", { name: "CSV: sources" }).getAttribute("href")).toBe(
    "/api/admin/statistics.csv?days=30&table=sources",
  );
});

it("reports a failed load of the audience, and repeats it on Try Again", async () => {
  const call = "GET /api/admin/statistics/audience";
  const { server } = await open({ [call]: failure(404) });
  await screen.findByText("Failed to load the audience");
  server.reply(call, audience);
  press("Try Again");
  await screen.findByText("Countries");
});

it("shows when the watched folder was last checked, and its waiting and failed files", async () => {
  const watchedFolder = {
    ...{ lookedAt: new Date().toISOString(), problem: "The folder doesn't respond." },
    ...{ waiting: 3, failed: 2 },
  };
  await open({ "GET /api/admin/system": { ...system, watchedFolder } });
  const panel = within(await screen.findByRole("region", { name: "Watched folder" }));
  panel.getByText("just now");
  panel.getByText("3 files");
  panel.getByText("The folder doesn't respond.");
  expect(panel.getByRole("link", { name: "2 failed" }).getAttribute("href")).toBe("/admin/import");
});

// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "enableIframePageLoading": true } }
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { openAdminPage } from "#web/features/admin/shared/admin-page.fixture.tsx";
import { fill, press } from "#test/harness/press.ts";
import { failure, type Reply } from "#test/harness/stub-fetch.ts";
import type { AdReport, Advertiser } from "../../contract/campaigns.ts";
import { adminAd } from "../ads/ad.fixture.ts";
import { campaignOf } from "./campaign.fixture.ts";

const list = "GET /api/campaigns";
const spring = campaignOf();
const cosmo: Advertiser = {
  id: spring.advertiserId,
  name: "Cosmo",
  contact: null,
  notes: null,
  campaignCount: 1,
  isShared: false,
  createdAt: spring.createdAt,
  version: 1,
};
const figures = {
  ...{ impressions: 0, unverifiedImpressions: 0, robotImpressions: 0, viewable: 0, clicks: 0 },
  ...{ unverifiedClicks: 0, robotClicks: 0, starts: 0, firstQuartiles: 0, midpoints: 0 },
  ...{ thirdQuartiles: 0, completes: 0, skips: 0, errors: 0, revenue: [] },
  ...{ requests: null, filled: null, robotRequests: null },
};
const reportOf = (values: Partial<AdReport> = {}): AdReport => ({
  timeZone: "UTC",
  from: "2026-02-01",
  to: "2026-02-28",
  rows: [],
  totals: figures,
  errorCauses: [],
  ...values,
});

const open = (path: string, replies: Record<string, Reply> = {}) =>
  openAdminPage(path, {
    [list]: { campaigns: [spring], timeZone: "UTC" },
    "GET /api/advertisers": { advertisers: [cosmo] },
    ...replies,
  });
const rowOf = (name: RegExp) => screen.findByRole("row", { name });
const value = (form: HTMLElement, label: RegExp) =>
  within(form).getByLabelText<HTMLInputElement>(label).value;

describe("the list", () => {
  const campaigns = [
    campaignOf({ state: "completed", endDate: "2026-02-01T00:00:00.000Z" }),
    campaignOf({ id: cosmo.id, name: "Always", advertiserName: "Cosmo", adCount: 2 }),
  ];

  it("says that a running campaign has no ads, without a forecast, and links to reports", async () => {
    const forecast = { expected: 1, goal: 1, percent: 100, elapsedPercent: 1 };
    const empty = campaignOf({ forecast });
    await open("/admin/campaigns", { [list]: { campaigns: [empty], timeZone: "UTC" } });
    const row = within(await rowOf(/Spring/));
    row.getByText("Running, but without ads");
    expect(row.queryByText(/On track/)).toBeNull();
    const report = row.getByRole("link", { name: "Report of Spring" });
    expect(report.getAttribute("href")).toBe(`/admin/campaigns/report?campaign=${empty.id}`);
  });

  it("finds campaigns by their state, and by words of their name and advertiser", async () => {
    await open("/admin/campaigns", { [list]: { campaigns, timeZone: "UTC" } });
    await rowOf(/Spring.*Completed/);
    await rowOf(/Always.*Running/);
    const names = () =>
      screen
        .getAllByRole("row")
        .slice(1)
        .map((row) => row.querySelector("a")?.textContent);
    fill("Status", "completed");
    await waitFor(() => expect(names()).toEqual(["Spring"]));
    fill("Status", "");
    fill("Search campaigns", "cosmo alw");
    await waitFor(() => expect(names()).toEqual(["Always"]));
    fill("Search campaigns", "acme alw");
    await screen.findByText("No campaigns found");
  });

  it("copies a campaign, which stays off", async () => {
    const { server } = await open("/admin/campaigns", { [list]: { campaigns, timeZone: "UTC" } });
    await rowOf(/Spring/);
    press("Copy Spring");
    const form = await screen.findByRole("dialog", { name: "Copy Campaign" });
    expect(value(form, /^Name/)).toBe("Copy of Spring");
    fill(/^Name/, "Spring again", form);
    fill(/^End/, "", form);
    server.reply("POST /api/campaigns", spring);
    press("Create", form);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(server.sentTo("POST /api/campaigns")[0]?.body).toMatchObject({
      name: "Spring again",
      endDate: null,
      isActive: false,
    });
  });

  it("shows dates in the time zone of ads", async () => {
    const may = campaignOf({ name: "May", startDate: "2026-04-30T15:00:00.000Z" });
    await open("/admin/campaigns", { [list]: { campaigns: [may], timeZone: "Asia/Tokyo" } });
    await rowOf(/May/);
    press("Edit May");
    const form = await screen.findByRole("dialog", { name: "Edit Campaign" });
    expect(value(form, /^Start/)).toBe("2026-05-01T00:00");
    expect(within(form).getAllByText("Asia/Tokyo time")).not.toEqual([]);
  });
});

it("creates the advertiser of a new campaign in its form", async () => {
  const { server } = await open("/admin/campaigns");
  await rowOf(/Spring/);
  press("Add Campaign");
  const form = await screen.findByRole("dialog", { name: "Add Campaign" });
  press("New advertiser", form);
  const added = { ...cosmo, id: "77777777-7777-4777-8777-777777777777", name: "Nova" };
  server.reply("POST /api/advertisers", added);
  server.reply("GET /api/advertisers", { advertisers: [cosmo, added] });
  const dialog = await screen.findByRole("dialog", { name: "Add Advertiser" });
  fill(/^Name/, "Nova", dialog);
  press("Create", dialog);
  await waitFor(() => expect(value(form, /^Advertiser/)).toBe(added.id));
  expect(server.sentTo("POST /api/campaigns")).toEqual([]);
});

describe("the page of a campaign", () => {
  const details = {
    [`GET /api/campaigns/${spring.id}`]: { campaign: spring, ads: [] },
    "GET /api/ad-report": reportOf(),
  };

  it("says that the campaigns failed to load, and opens the form after a retry", async () => {
    const { server } = await open(`/admin/campaigns/${spring.id}`, {
      ...details,
      [list]: failure(404),
    });
    await screen.findByText("Couldn't load the campaigns.");
    server.reply(list, { campaigns: [spring], timeZone: "UTC" });
    press("Try Again");
    await waitFor(() => expect(screen.queryByText("Couldn't load the campaigns.")).toBeNull());
    press("Edit Campaign");
    await screen.findByRole("dialog", { name: "Edit Campaign" });
  });

  it("closes the form when another campaign is opened", async () => {
    const always = campaignOf({ id: cosmo.id, name: "Always" });
    const { router } = await open(`/admin/campaigns/${spring.id}`, {
      ...details,
      [`GET /api/campaigns/${always.id}`]: { campaign: always, ads: [] },
    });
    await screen.findByRole("heading", { name: "Spring" });
    await act(() => router.navigate(`/admin/campaigns/${always.id}`));
    await screen.findByRole("heading", { name: "Always" });
    press("Edit Campaign");
    await screen.findByDisplayValue("Always");
    await act(() => router.navigate(-1));
    await screen.findByRole("heading", { name: "Spring" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("links to the form for an ad of the campaign", async () => {
    vi.spyOn(HTMLIFrameElement.prototype, "contentDocument", "get").mockReturnValue(null);
    const { server, router } = await open(`/admin/campaigns/${spring.id}`, {
      ...details,
      "GET /api/ads": { ads: [], total: 0 },
    });
    const link = await screen.findByRole("link", { name: "Add an ad" });
    expect(link.getAttribute("href")).toBe(`/admin/ads?campaign=${spring.id}&new=1`);
    fireEvent.click(link);
    const form = await screen.findByRole("dialog", { name: "Add Advertisement" });
    expect(value(form, /^Campaign/)).toBe(spring.id);
    fill(/^Title/, "Tulips", form);
    fill(/^Type/, "banner", form);
    fill(/^Placement/, "header", form);
    const tulips = adminAd({ title: "Tulips", campaignId: spring.id });
    server.reply("POST /api/ads", tulips);
    server.reply("GET /api/ads", { ads: [tulips], total: 1 });
    press("Create", form);
    await rowOf(/Tulips.*Spring/);
    expect(router.state.location.search).toBe(`?campaign=${spring.id}`);
    expect(server.sentTo("POST /api/ads")[0]?.body).toMatchObject({ campaignId: spring.id });
  });
});

describe("the report", () => {
  it("covers a month or any two dates, in the time zone of ads", async () => {
    const { server } = await open("/admin/campaigns/report?days=2026-02", {
      "GET /api/ad-report": reportOf({ timeZone: "Asia/Tokyo" }),
    });
    await screen.findByText("Feb 1, 2026 to Feb 28, 2026, Asia/Tokyo time");
    const asked = () => {
      const { searchParams } = new URL(server.sent.at(-1)?.url ?? "", "http://a.test");
      return [searchParams.get("from"), searchParams.get("to")];
    };
    expect(asked()).toEqual(["2026-02-01", "2026-02-28"]);
    fill("Days", "custom");
    fill("First day", "2026-05-02");
    fill("Last day", "2026-04-29");
    await waitFor(() => expect(asked()).toEqual(["2026-04-29", "2026-05-02"]));
  });

  it("marks the current day in the time zone of ads as unfinished", async () => {
    const rows = ["2026-03-03", "2026-03-04"].map((key) => ({
      ...{ ...figures, key, name: key, campaign: null, advertiser: null },
    }));
    const report = Promise.withResolvers<AdReport>();
    await open("/admin/campaigns/report", { "GET /api/ad-report": report.promise });
    // The next day has begun in Tokyo.
    vi.setSystemTime("2026-03-03T18:00:00Z");
    report.resolve(reportOf({ timeZone: "Asia/Tokyo", rows }));
    fireEvent.click(await screen.findByText("Show as table"));
    screen.getByRole("rowheader", { name: "2026-03-04, so far" });
  });

  it.each([
    ["placement", "No placement"],
    ["campaign", "Ads without a campaign"],
  ])("labels the row of a report by %s that has no name", async (group, label) => {
    await open(`/admin/campaigns/report?group=${group}`, {
      // The chart reads the same response, so the key is a day.
      "GET /api/ad-report": reportOf({
        rows: [{ ...figures, key: "2026-02-01", name: "", campaign: null, advertiser: null }],
      }),
    });
    expect(await rowOf(new RegExp(`^${label} `))).toBeTruthy();
  });

  it("says below the last day that the dates are too far apart", async () => {
    const message = "A report has at most 1100 days";
    await open("/admin/campaigns/report?days=custom&from=2022-01-01&to=2026-01-01", {
      "GET /api/ad-report": () =>
        Response.json({ code: "invalid", issues: [{ path: "to", message }] }, { status: 400 }),
    });
    await screen.findByText(message);
    expect(screen.getByLabelText("Last day").getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByText("Couldn't load the report.")).toBeNull();
  });

  it("says that it failed to load, and loads on Try Again", async () => {
    const { server } = await open("/admin/campaigns/report", {
      "GET /api/ad-report": failure(404),
    });
    await screen.findByText("Couldn't load the report.");
    server.reply("GET /api/ad-report", reportOf());
    press("Try Again");
    await screen.findByText("Feb 1, 2026 to Feb 28, 2026, UTC time");
  });
});

it.each(["report", spring.id])("keeps the statistics of %s if a reload fails", async (path) => {
  const read = "GET /api/ad-report";
  const { server } = await open(`/admin/campaigns/${path}`, {
    [`GET /api/campaigns/${spring.id}`]: { campaign: spring, ads: [] },
    [read]: reportOf(),
  });
  const days = "Feb 1, 2026 to Feb 28, 2026, UTC time";
  await screen.findByText(days);
  server.reply(read, failure(404));
  await act(() => vi.advanceTimersByTimeAsync(6000));
  act(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await screen.findByText("Couldn't load the report.");
  screen.getByText(days);
});

describe("the shared report", () => {
  const read = "POST /api/spots/shared-report";
  const openShared = (reply: Reply) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    return openAdminPage("/partner#secret", { [read]: reply }, { hasMenus: true });
  };

  it("says that it failed to load, and loads on Try Again", async () => {
    const { server } = await openShared(new TypeError("Failed to fetch"));
    await screen.findByText("Couldn't load the report.");
    server.reply(read, { advertiser: "Cosmo", days: reportOf(), campaigns: reportOf() });
    press("Try Again");
    await screen.findByRole("heading", { name: "Cosmo" });
    expect(server.sentTo(read)[1]?.body).toMatchObject({ key: "secret" });
  });

  it("says that an invalidated link has stopped working", async () => {
    await openShared(failure(404, "gone", "not_found"));
    await screen.findByText(
      "This link has stopped working. Ask the site's operator for a new one.",
    );
  });
});

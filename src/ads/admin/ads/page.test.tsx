// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "enableIframePageLoading": true } }
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openAdminPage } from "#web/features/admin/shared/admin-page.fixture.tsx";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure, type Reply } from "#test/harness/stub-fetch.ts";
import type { Ad, AdStats } from "../../contract/ads.ts";
import { adminAd } from "./ad.fixture.ts";

const list = "GET /api/ads";
const campaigns = "GET /api/campaigns";
const autumn = adminAd();
const one = `/api/ads/${autumn.id}`;
const listOf = (ads: Ad[], total = ads.length) => ({ ads, total });

beforeEach(() => {
  // No requests: happy-dom loads an empty document instead of an ad's.
  vi.spyOn(HTMLIFrameElement.prototype, "src", "get").mockReturnValue("about:blank");
  // It has no layout either, so the form shows no preview.
  vi.spyOn(HTMLIFrameElement.prototype, "contentDocument", "get").mockReturnValue(null);
});

const open = (
  ads: Ad[],
  replies: Record<string, Reply> = {},
  options: { path?: string; role?: "ADMIN" | "ANALYST" } = {},
) =>
  openAdminPage(
    options.path ?? "/admin/ads",
    {
      [list]: listOf(ads),
      [campaigns]: { campaigns: [], timeZone: "UTC" },
      ...replies,
    },
    { role: options.role },
  );
const rowOf = (name: RegExp) => screen.findByRole("row", { name });

async function openForm() {
  press("Add Advertisement");
  return screen.findByRole("dialog", { name: "Add Advertisement" });
}

describe("the list", () => {
  it("shows Loading ads..., then No ads found", async () => {
    const ads = Promise.withResolvers<object>();
    await open([], { [list]: ads.promise });
    screen.getByText("Loading ads...");
    ads.resolve(listOf([]));
    await screen.findByText("No ads found");
    expect(screen.queryByText("Loading ads...")).toBeNull();
  });

  it("shows type, placement, state and rates of each ad", async () => {
    await open([adminAd({ placement: "footer", ctr: 12.5, impressionCount: 8, clickCount: 1 })]);
    const row = await rowOf(/Autumn/);
    expect(row.textContent).toMatch(/Banner · Footer.*Active8.*1.*12\.50%/);
    // Phones show the headings of the columns above the values.
    const labels = [...row.querySelectorAll("[data-label]")].map((cell) =>
      cell.getAttribute("data-label"),
    );
    expect(labels.slice(-3)).toEqual(["Impressions", "Clicks", "CTR"]);
  });

  it("shows numbers once unless the verified ones differ, and the site's own pictures", async () => {
    const counts = { impressionCount: 8, verifiedImpressionCount: 8, clickCount: 3 };
    const shown = adminAd({ ...counts, verifiedClickCount: 2, imageUrl: "/media/a.png" });
    await open([shown]);
    const row = await rowOf(/Autumn/);
    expect(row.textContent).toContain("83 2 verified");
    expect(row.querySelector("img")?.getAttribute("src")).toBe("/media/a.png");
  });

  it("shows a frame of the site's own videos, and an icon for ads elsewhere", async () => {
    const own = adminAd({ type: "video", title: "Own", vastTagUrl: "/media/public/a.mp4" });
    const url = "https://ads.example/a.mp4";
    const other = adminAd({
      id: crypto.randomUUID(),
      title: "Other",
      type: "video",
      vastTagUrl: url,
    });
    await open([own, other]);
    const shown = (await rowOf(/Own/)).querySelector("video");
    expect(shown?.getAttribute("src")).toBe("/media/public/a.mp4#t=1");
    const row = await rowOf(/Other/);
    expect([...row.querySelectorAll("video, img")]).toEqual([]);
  });

  it("stores page and filters in the URL, and keeps them in dialogs", async () => {
    const { server, router } = await open([autumn], { [list]: listOf([autumn], 22) });
    await rowOf(/Autumn/);
    press("Next");
    const query = () => router.state.location.search;
    await waitFor(() => expect(query()).toBe("?page=2"));
    press("Edit Autumn");
    const dialog = await screen.findByRole("dialog", { name: "Edit Advertisement" });
    press("Cancel", dialog);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(query()).toBe("?page=2");
    fill("Type", "popup");
    fill("Placement", "footer");
    fill("Active", "false");
    fill("Search ads", "blue");
    await waitFor(() =>
      expect(server.sent.at(-1)?.url).toContain(
        "search=blue&type=popup&placement=footer&active=false",
      ),
    );
    expect(query()).toBe("?type=popup&placement=footer&active=false&search=blue");
    server.reply(list, listOf([]));
    fill("Search ads", "nothing");
    await screen.findByText("Try different filters.");
  });

  it("approves an editor's ad in the shown version", async () => {
    const { server } = await open([adminAd({ isApproved: false, version: 3 })]);
    await rowOf(/Autumn.*Waiting for approval/);
    server.reply(`PUT ${one}`, autumn);
    server.reply(list, listOf([autumn]));
    press("Approve Autumn");
    await waitFor(() => expect(screen.queryByText("Waiting for approval")).toBeNull());
    expect(server.sentTo(`PUT ${one}`)[0]?.body).toEqual({ isApproved: true, version: 3 });
  });

  it("is read-only for analysts, who open the statistics", async () => {
    await open([autumn], { [`GET ${one}/stats`]: new Promise(() => {}) }, { role: "ANALYST" });
    await rowOf(/Autumn/);
    expect(screen.queryByRole("button", { name: /^(Add|Edit|Delete|Active$)/ })).toBeNull();
    press("Autumn");
    await screen.findByRole("dialog", { name: "Autumn" });
  });
});

describe("failures", () => {
  it("shows Failed to fetch ads, and loads them on Try Again", async () => {
    const { server } = await open([], { [list]: failure(404, "x") });
    await screen.findByText("Failed to fetch ads");
    server.reply(list, listOf([autumn]));
    press("Try Again");
    await rowOf(/Autumn/);
    expect(screen.queryByText("Failed to fetch ads")).toBeNull();
  });

  it("shows Failed to delete ad with the reason, after a confirmation", async () => {
    await open([autumn], { [`DELETE ${one}`]: failure(500, "It is in use.") });
    await rowOf(/Autumn/);
    press("Delete Autumn");
    await choose("Are you sure you want to delete this ad?", "Delete");
    await screen.findByText("Failed to delete ad");
    screen.getByText("It is in use.");
    await rowOf(/Autumn/);
  });

  it("shows Failed to save ad with the reason if an ad can't be switched off", async () => {
    const { server } = await open([autumn], { [`PUT ${one}`]: failure(500, "Not now.") });
    await rowOf(/Autumn/);
    press("Active");
    await screen.findByText("Failed to save ad");
    screen.getByText("Not now.");
    expect(server.sentTo(`PUT ${one}`)[0]?.body).toEqual({ isActive: false });
    press("Dismiss");
    expect(screen.queryByText("Failed to save ad")).toBeNull();
  });

  it("shows Failed to save ad in the form too, and keeps what was typed", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    await open([], { "POST /api/ads": new TypeError("Failed to fetch") });
    await screen.findByText("No ads found");
    const form = await openForm();
    fill(/^Title/, "Not saved", form);
    fill(/^Type/, "banner", form);
    fill(/^Placement/, "header", form);
    press("Create", form);
    await within(form).findByText("Failed to save ad");
    expect(within(form).getByLabelText<HTMLInputElement>(/^Title/).value).toBe("Not saved");
  });

  it("says that the campaigns failed to load, and opens the form after a retry", async () => {
    const { server } = await open([], { [campaigns]: failure(404) });
    await screen.findByText("Couldn't load the campaigns.");
    server.reply(campaigns, { campaigns: [], timeZone: "UTC" });
    press("Try Again");
    await waitFor(() => expect(screen.queryByText("Couldn't load the campaigns.")).toBeNull());
    await openForm();
  });
});

describe("the form", () => {
  it("requires three fields, and is empty again after Cancel", async () => {
    const { server } = await open([]);
    await screen.findByText("No ads found");
    const form = await openForm();
    for (const label of [/^Title/, /^Type/, /^Placement/]) {
      expect(within(form).getByLabelText(label).hasAttribute("required")).toBe(true);
    }
    for (const label of ["Start Date", "End Date"]) {
      expect(within(form).getByLabelText(label).getAttribute("type")).toBe("datetime-local");
    }
    expect(within(form).getByRole<HTMLInputElement>("switch", { name: "Active" }).checked).toBe(
      true,
    );
    fill(/^Title/, "Never saved", form);
    press("Create", form);
    press("Cancel", form);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const again = await openForm();
    expect(within(again).getByLabelText<HTMLInputElement>(/^Title/).value).toBe("");
    expect(server.sent.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("asks what it is for, what, where and when, and folds the rest", async () => {
    await open([]);
    await screen.findByText("No ads found");
    const form = await openForm();
    fill(/^Type/, "video", form);
    const parts = within(form)
      .getAllByRole("region")
      .filter((part) => part.closest("details") === null);
    expect(parts.map((part) => part.getAttribute("aria-label") ?? "checks")).toEqual([
      ...["What it's for", "What it shows", "Where it appears", "When it runs"],
      ...["Preview", "checks"],
    ]);
    const namesIn = (part: HTMLElement | undefined) =>
      [...(part?.querySelectorAll("label") ?? [])]
        .filter((label) => label.closest("details") === null)
        .map((label) => label.textContent.replace(/ ?\*.*/, ""));
    expect(parts.slice(0, 4).map(namesIn)).toEqual([
      ["Title", "Campaign"],
      ["Type", "VAST/Video URL", "Image URL", "Link URL"],
      ["Placement"],
      ["Start Date", "End Date", "Active"],
    ]);
    const folds = [...form.querySelectorAll("details")];
    expect(folds.map((fold) => [fold.querySelector("summary")?.textContent, fold.open])).toEqual([
      ["HTML", false],
      ["Description and size", false],
      ["Delivery rules", false],
    ]);
  });

  it("copies an ad, which stays off", async () => {
    const content = "<b>x</b>";
    const { server } = await open([adminAd({ content, trust: "page", weight: 3 })]);
    await rowOf(/Autumn/);
    press("Copy Autumn");
    const form = await screen.findByRole("dialog", { name: "Copy Advertisement" });
    const value = (label: RegExp) => within(form).getByLabelText<HTMLInputElement>(label).value;
    expect([value(/^Title/), value(/^Weight/)]).toEqual(["Copy of Autumn", "3"]);
    server.reply("POST /api/ads", adminAd({ title: "Copy of Autumn", isActive: false }));
    press("Create", form);
    await choose(
      "Let this ad's scripts run in your pages? They can read and change what visitors see there, and act on their behalf. They never run for signed-in users.",
      "Trust ad",
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(server.sentTo("POST /api/ads")[0]?.body).toMatchObject({
      title: "Copy of Autumn",
      content,
      trust: "page",
      weight: 3,
      isActive: false,
    });
  });

  it("warns before scripts without origins go live", async () => {
    const content = '<script src="https://cdn.example.com/tag.js"></script>';
    const off = adminAd({ content, isActive: false });
    const { server } = await open([off], { [`PUT ${one}`]: { ...off, isActive: true } });
    await rowOf(/Autumn/);
    press("Inactive");
    const question = await screen.findByRole("alertdialog", {
      name: /can only load scripts and frames from https:\/\/cdn\.example\.com/,
    });
    press("Cancel", question);
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(server.sentTo(`PUT ${one}`)).toEqual([]);
    press("Inactive");
    press("Activate", await screen.findByRole("alertdialog"));
    await waitFor(() => expect(server.sentTo(`PUT ${one}`)[0]?.body).toEqual({ isActive: true }));
  });
});

it("shows statistics as a chart and tables that a failed reload keeps, and links to their CSV file", async () => {
  const counts = {
    ...{ impressions: 4, unverifiedImpressions: 2, robotImpressions: 1, viewable: 0 },
    ...{ clicks: 1, unverifiedClicks: 0, robotClicks: 0, starts: 0, firstQuartiles: 0 },
    ...{ midpoints: 0, thirdQuartiles: 0, completes: 0, skips: 0, errors: 1 },
  };
  const stats: AdStats = {
    timeZone: "UTC",
    days: [{ day: "2026-03-04", ...counts }],
    placements: [{ placement: "header", ...counts }],
    origins: [
      { origin: "site", ...counts },
      { origin: "embed", ...counts, impressions: 3 },
    ],
    totals: counts,
    errorCauses: [{ cause: "timeout", count: 1 }],
  };
  const read = `GET ${one}/stats`;
  const { server } = await open([autumn], { [read]: stats });
  await rowOf(/Autumn/);
  press("Statistics for Autumn");
  await screen.findByRole("slider", { name: "Impressions per day" });
  const dialog = screen.getByRole("dialog", { name: "Autumn" });
  expect(within(dialog).getAllByText("25.00%")).toHaveLength(3);
  const cells = (table: string) =>
    within(within(dialog).getByRole("table", { name: table }))
      .getAllByRole("row")
      .map((row) => [...row.querySelectorAll("td")].map(({ textContent }) => textContent));
  expect(cells("By origin")).toEqual([[], ["4", "0", "1", "25.00%"], ["3", "0", "1", "33.33%"]]);
  expect(cells("Verified, unverified and bot events")).toEqual([
    [],
    ["4", "1"],
    ["2", "0"],
    ["1", "0"],
  ]);
  expect(cells("Errors by cause").at(-1)).toEqual(["1"]);
  const link = within(dialog).getByRole("link", { name: "Export CSV" });
  expect([link.hasAttribute("download"), link.getAttribute("href")]).toEqual([
    true,
    `${one}/stats.csv?days=30`,
  ]);
  server.reply(read, failure(404));
  await act(() => vi.advanceTimersByTimeAsync(6000));
  act(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await within(dialog).findByText("Couldn't load the statistics.");
  within(dialog).getByRole("table", { name: "By origin" });
});

it("tests a tag and shows the chain, the chosen file and each problem in plain words", async () => {
  vi.spyOn(HTMLMediaElement.prototype, "canPlayType").mockReturnValue("maybe");
  const inner = `<VAST version="4.0"><Ad id="a"><InLine><AdTitle>t</AdTitle><Creatives><Creative><Linear>
    <Duration>00:00:08</Duration><MediaFiles><MediaFile type="video/mp4">https://n.test/8.mp4</MediaFile></MediaFiles>
    </Linear></Creative></Creatives></InLine></Ad></VAST>`;
  const wrapper = (target: string) =>
    new Response(`<VAST version="4.0"><Ad id="o"><Wrapper>
      <VASTAdTagURI>https://n.test/${target}</VASTAdTagURI></Wrapper></Ad></VAST>`);
  const server = await open([], {
    "GET https://n.test/outer": wrapper("inner"),
    "GET https://n.test/inner": new Response(inner),
    "GET https://n.test/broken": wrapper("absent"),
    "GET https://n.test/absent": new Response("", { status: 404 }),
    "GET https://n.test/closed": new TypeError("Failed to fetch"),
    "POST /api/ads/vast-test": {
      documents: [
        {
          url: "https://n.test/closed",
          redirects: 0,
          text: null,
          problem: "refused",
          status: null,
        },
      ],
    },
  }).then((opened) => opened.server);
  await screen.findByText("No ads found");
  press("Test a VAST tag");
  const dialog = await screen.findByRole("dialog", { name: "Test a VAST tag" });
  const test = (path: string) => {
    fill("VAST tag URL", `https://n.test/${path}`, dialog);
    press("Test", dialog);
  };
  test("outer");
  await within(dialog).findByText(/^https:\/\/n\.test\/8\.mp4 /);
  within(dialog).getByText("Wrapper 1");
  test("broken");
  await within(dialog).findByText("No ad. The video starts right away.");
  within(dialog).getByText(/responded 404\. \(301\)$/);
  test("closed");
  await within(dialog).findByText(/^Neither this browser nor your server can read the tag\./);
  expect(server.sentTo("POST /api/ads/vast-test")[0]?.body).toEqual({
    url: "https://n.test/closed",
  });
});

import type { Page } from "playwright-core";
import { matchPath, type RouteObject } from "react-router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "#web/app/routes.tsx";
import { confirmSession, createClient, type TestApp } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import {
  expectAccessible,
  expectContrastInOtherScheme,
  expectTouchTargets,
} from "../support/accessible.ts";
import {
  closeVisitors,
  openVisitor,
  phone,
  screens,
  type VisitorOptions,
} from "../support/browser.ts";
import { activeItem, openFeed } from "../support/feed-screen.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addCaptions, addClip, wholeLine } from "../support/player-clips.ts";
import { expectFitsAtEachTextSize, overflowPx } from "../support/page-width.ts";
import { leaveSubmenu, openSettings, openSubmenu } from "../support/player-settings.ts";
import { serveThumbnails, startPublicSite } from "../support/public-site.ts";
import { player, playVideo, video } from "../support/video-page.ts";

/**
 * Every public page and dialog passes axe. Each page is also checked on a phone. The pages of the
 * back office are in `admin/pages.e2e.ts`, and their dialogs in `nightly/dialogs.e2e.ts`.
 */

let app: TestApp;
/** Addresses with a secret, by their pattern. */
const secrets: Record<string, string> = {};

beforeAll(async () => {
  app = await startPublicSite();
  const owner = createClient(app.url, await app.signIn("OWNER"));
  const call = async (method: string, path: string, body: object = {}) => {
    const { status, text, json } = await owner.call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json;
  };
  const texts = { terms: "Our **terms**", privacy: "Ours", contact: "Write to us" };
  await call("PUT", "/api/tags/slow", { isSeries: true });
  const shown = { comments: "open", takedownLog: true, pinnedLabels: ["tags/slow"] };
  await call("POST", "/api/settings", { ...texts, ...shown });
  const about = { en: { title: "About us", markdown: "## Who we are" } };
  const listed = { place: "footer", isPublished: true, isIndexed: true };
  await call("POST", "/api/admin/pages", { address: "about", texts: about, ...listed });
  await call("POST", "/api/videos/study-30/comments", { text: "What a study", name: "Ada" });

  const loom = await addClip(app, "long", {
    title: "The loom",
    slug: "loom",
    description: "0:00 The start\n0:20 Its middle\n0:50 The end",
  });
  await addCaptions(app, loom.id, "language=en", wholeLine("Hello"));
  await addCaptions(app, loom.id, "language=he", wholeLine("שלום"));
  await addClip(app, "upright-0", { title: "A wheel", slug: "wheel" });

  const hidden = await addClip(app, "wide-0", { slug: "hidden", visibility: "private" });
  const link = await call("PUT", `/api/admin/videos/${hidden.id}/link`, { expiresAt: null });
  secrets["/private/:secret"] = link.path;
  await confirmSession(owner);
  const invitation = { email: "ed@example.com", role: "EDITOR" };
  const invited = await call("POST", "/api/admin/people/invitations", invitation);
  secrets["/auth/invitation"] = invited.path;
  const { id } = await call("POST", "/api/advertisers", { name: "Acme" });
  const { key } = await call("POST", `/api/advertisers/${id}/share`);
  secrets["/partner"] = `/partner#${key}`;
});
afterAll(async () => {
  await closeVisitors();
  await app.stop();
});

const pages = [
  "/",
  "/feed",
  "/feed/wheel",
  "/home",
  "/home?search=study&category=Teen",
  "/home?search=zzzzqqqq",
  "/trending",
  "/categories",
  "/tags",
  "/actors",
  "/categories/fractals",
  "/tags/slow",
  "/actors/ada-loom",
  "/video/study-30",
  "/video/there-is-none",
  "/private/:secret",
  "/search",
  "/search?search=study",
  "/report/study-30",
  "/comments/study-30",
  "/takedown",
  "/removals",
  "/terms",
  "/privacy",
  "/contact",
  "/pages/about",
  "/source",
  "/favorites",
  "/library",
  "/pass",
  "/auth/signin",
  "/auth/forgot",
  "/auth/reset?token=x",
  "/auth/invitation",
  "/setup?token=x",
  "/partner",
  "/nothing/here",
  "/embed/study-30",
  "/ar/home",
  "/ar/video/study-30",
];

it("visits every public page", () => {
  const pathsOf = ({ path, children = [] }: RouteObject): string[] => [
    ...(path === undefined || path === "*" ? [] : [path]),
    ...children.flatMap(pathsOf),
  ];
  const visited = pages.map((path) => path.replace(/\?.*/, ""));
  const missing = routes
    .flatMap(pathsOf)
    .filter((path) => !visited.some((at) => matchPath(path, at)));
  expect(missing).toEqual([]);
});

/** Adds a favorite, a followed actor and a watched video. */
async function fillLibrary(page: Page): Promise<void> {
  await page.goto("/video/study-30");
  const status = await page.evaluate(async () => {
    const follows = [{ kind: "actors", slug: "ada-loom", name: "Ada Loom" }];
    localStorage.setItem("kinora.library", JSON.stringify({ follows }));
    return (await fetch("/api/videos/study-30/like", { method: "POST" })).status;
  });
  expect(status).toBe(200);
}

/** Opens a page on a phone, with the sum of its layout shifts. */
async function openOnPhone(path: string) {
  const { page } = await openVisitor(app.url, {
    viewport: screens.phone,
    hasTouch: true,
    expectProblems: /./,
  });
  await serveThumbnails(page);
  if (path === "/favorites" || path === "/library") await fillLibrary(page);
  const shifts = await noteLayoutShifts(page);
  await page.goto(secrets[path] ?? path);
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  return { page, shifts };
}

// Loading a page costs more than checking it, so each is loaded once for all checks.
it.each(pages)(
  "renders %s without layout shifts or sideways scrolling, with touch targets of at least 24 px, and passes axe",
  async (path) => {
    const { page, shifts } = await openOnPhone(path);
    await page.waitForTimeout(700);
    expect(await shifts()).toBeLessThan(0.02);
    await expectTouchTargets(page);
    await expectFitsAtEachTextSize(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => overflowPx(page)).toBe(0);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize(screens.laptop);
    await expectAccessible(page);
    await expectContrastInOtherScheme(page);
  },
);

// The videos of this site have no files.
it.each(["/video/study-30", "/feed/study-30"])(
  "keeps Try Again clear of controls and text on a phone, in portrait and landscape, at %s",
  async (path) => {
    const { page } = await openOnPhone(path);
    const { width, height } = screens.phone;
    await page.getByRole("button", { name: "Try Again" }).first().waitFor();
    await expectTouchTargets(page);
    await page.setViewportSize({ width: height, height: width });
    await expectTouchTargets(page);
  },
);

describe("axe finds nothing in the states of a page", () => {
  const open = (options: VisitorOptions = {}) =>
    openVisitor(app.url, { expectProblems: /./, reducedMotion: "reduce", ...options });
  const expectDialog = async (page: Page) => {
    const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
    await dialog.waitFor();
    await expectAccessible(page, "[role=dialog], [role=alertdialog], dialog[open]");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  };
  /** Expects at least this many entries in the menu, each on the screen once scrolled there. */
  const expectReachableEntries = async (page: Page, atLeast: number) => {
    const entries = page.locator("[role=menu] [role^=menuitem]");
    await expect.poll(() => entries.count()).toBeGreaterThanOrEqual(atLeast);
    const findCovered = () =>
      entries.evaluateAll((all) =>
        all
          .filter((entry) => {
            entry.scrollIntoView({ block: "nearest" });
            const { x, y, width, height } = entry.getBoundingClientRect();
            return !entry.contains(document.elementFromPoint(x + width / 2, y + height / 2));
          })
          .map(({ textContent }) => textContent),
      );
    await expect.poll(findCovered).toEqual([]);
    await expectAccessible(page, "[role=menu]");
  };
  /** Shows these ads and no others. */
  const setAds = async (...ads: Parameters<typeof makeAd>[1][]) => {
    await app.db.deleteFrom("ads").execute();
    for (const ad of ads) await makeAd(app.db, ad);
    await app.context.changed("everything");
  };

  it("with the menus and dialogs of a video page", async () => {
    await setAds({ title: "For some" }, { title: "Below", placement: "footer" });
    const { page } = await open();
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "share", { value: undefined, configurable: true }),
    );
    await page.goto("/video/loom");
    await page.locator(".player-controls").waitFor({ state: "attached" });
    await page.locator(".spot[data-slot=header]", { hasText: "For some" }).waitFor();
    await expectAccessible(page);

    const menu = await openSettings(page);
    await expectAccessible(page, ".player");
    for (const name of ["Speed", "Captions", "Chapters"]) {
      await openSubmenu(menu, name);
      await expectAccessible(page, ".player-menu");
      await leaveSubmenu(menu);
    }
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "About this advertisement" }).first().click();
    await expectDialog(page);
    await page.getByRole("button", { name: "Share" }).click();
    const share = page.getByRole("dialog", { name: "Share" });
    await share.getByRole("button", { name: "Preview" }).click();
    await share.frameLocator("iframe").locator(".player-big-play").waitFor();
    await expectDialog(page);
    const more = page.getByRole("button", { name: "More about this video" });
    await more.click();
    await page.getByRole("menuitem", { name: "Report" }).click();
    await expectDialog(page);
    await more.click();
    await page.getByRole("menu").waitFor();
    await expectAccessible(page, "[role=menu]");
    await page.getByRole("menuitem", { name: "New playlist..." }).click();
    await expectDialog(page);

    const transcript = page.getByRole("region", { name: "Transcript" });
    await transcript.evaluate((element) => element.scrollIntoView());
    // Fills the field again if the script has replaced the HTML of the server.
    await expect
      .poll(async () => {
        await transcript.getByRole("searchbox").fill("hello");
        return transcript.locator("mark").count();
      })
      .toBe(1);
    await expectAccessible(page, ".transcript");
    await expectContrastInOtherScheme(page);

    const comments = page.getByRole("region", { name: "Comments" });
    await comments.getByRole("link", { name: "Comments" }).click();
    await comments.getByRole("textbox", { name: /^Comment/ }).fill("Nice");
    await comments.getByRole("button", { name: "Send comment" }).click();
    await comments.getByText("Comment posted.").waitFor();
    await expectAccessible(page, "main");
  });

  it("with menus taller than the window, which scroll to each entry", async () => {
    const { page } = await open({ viewport: { width: 1366, height: 768 } });
    await page.addInitScript(() => {
      const playlists = Array.from({ length: 20 }, (_, at) => ({
        id: `${at}`,
        name: `List ${at}`,
        videos: [],
      }));
      const library = { history: [], later: [], playlists, follows: [] };
      localStorage.setItem("kinora.library", JSON.stringify(library));
    });
    await page.goto("/video/loom");
    await page.getByRole("button", { name: "More about this video" }).click();
    await expectReachableEntries(page, 20);
    await page.setViewportSize({ width: 844, height: 390 });
    await openFeed(page, `${app.url}/feed/loom`);
    await page.getByRole("button", { name: "More" }).first().click();
    await expectReachableEntries(page, 7);
  });

  it("with an ad break, the next video and the mini player", async () => {
    await setAds({ type: "video", placement: "preroll", ignores_break_rules: true });
    const { page } = await open({ reducedMotion: "no-preference" });
    await page.goto("/video/loom");
    await page.locator(".spot-break-skip").waitFor();
    await expectAccessible(page, ".player");
    await page.getByRole("button", { name: "Skip Ad" }).click();
    await waitForPlaying(page, player);
    await page.keyboard.press("c");
    await page.locator(".player-captions p").waitFor();
    await expectAccessible(page, ".player");
    await page.getByRole("link", { name: "Trending" }).first().click();
    await page.locator(".mini-player").waitFor();
    await expectAccessible(page, ".mini-player");

    await setAds();
    const { page: other } = await open({ reducedMotion: "no-preference", playsNext: true });
    // The countdown to the next video stops on a hidden other.
    await other.addInitScript(() => {
      Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
    });
    await playVideo(other, "loom");
    const next = other.locator(".player-next");
    await expect
      .poll(async () => {
        await video(other).evaluate((media: HTMLVideoElement) => {
          if (media.duration - media.currentTime > 1) media.currentTime = media.duration - 0.3;
        });
        return next.isVisible();
      })
      .toBe(true);
    await expectAccessible(other, ".player-next");
  });

  it("with the menu, the captions and the notes of the feed", async () => {
    const { page } = await open(phone);
    await openFeed(page, `${app.url}/feed/loom`);
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menu").waitFor();
    await expectAccessible(page, "[role=menu]");
    await page.getByRole("menuitemcheckbox", { name: "Captions: English" }).click();
    await page.locator(`${activeItem} .player-captions p`).waitFor();
    await expectAccessible(page, activeItem);
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitem", { name: "Transcript" }).click();
    await expectDialog(page);

    await page.goto("/home");
    await page.waitForLoadState("networkidle");
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "For You" }).first().click();
    await page.getByText("You're offline").first().waitFor();
    await expectAccessible(page);
  });

  it("with a full library, its dialogs and its messages", async () => {
    const { page } = await open();
    await serveThumbnails(page);
    await page.goto("/privacy");
    await page.evaluate(() => {
      const saved = ["study-3", "study-4"].map((slug, at) => ({
        slug,
        title: slug,
        thumbnail: null,
        durationS: 63,
        atMs: Date.now() - at,
      }));
      const follows = [{ kind: "tags", slug: "slow", name: "slow" }];
      const playlists = [{ id: "1", name: "Evening", videos: saved }];
      const library = { history: saved, later: saved, playlists, follows };
      localStorage.setItem("kinora.library", JSON.stringify(library));
    });
    await page.goto("/library");
    const lists = page.getByRole("region", { name: "Playlists" });
    await lists.getByText("Videos and their order").click();
    await page.getByRole("textbox", { name: "Code from the other device" }).fill("AAAA-AAAA-AAAA");
    await page.getByRole("button", { name: "Transfer" }).click();
    await page.getByRole("button", { name: "Create code" }).click();
    await page.locator("[data-code]").waitFor();
    await expectAccessible(page);
    await expectContrastInOtherScheme(page);
    await lists.getByRole("button", { name: "Rename Evening" }).click();
    await expectDialog(page);
    await lists.getByRole("button", { name: "Delete Evening" }).click();
    await expectDialog(page);
    await lists.getByRole("link", { name: "Play Evening" }).click();
    await page.locator(".playlist-bar").waitFor();
    await expectAccessible(page, ".playlist-bar");
    await page.goto("/home");
    await page.locator(".follow-row").getByRole("link").first().waitFor();
    await expectAccessible(page, ".follow-row");
  });

  it("with the preview of a card, the question about ads and the question about the age", async () => {
    await setAds({ trust: "page", content: "<i>Trusted</i>" });
    const { page } = await open({ ...phone, reducedMotion: "no-preference" });
    await page.goto("/video/wheel");
    const question = page.getByRole("region", { name: "Ads from other companies" });
    await question.waitFor();
    await expectAccessible(page);
    await setAds();

    await serveThumbnails(page);
    await page.goto("/home?sort=most_viewed");
    const card = page.locator("main a[href='/video/study-1']");
    await card.scrollIntoViewIfNeeded();
    const box = await card.boundingBox();
    if (box === null) throw new Error("no card");
    const client = await page.context().newCDPSession(page);
    const at = { x: box.x + box.width / 2, y: box.y + 30 };
    await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
    await card.locator("video").waitFor({ state: "attached" });
    await expectAccessible(page, "main");
    await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });

    const owner = createClient(app.url, await app.signIn("OWNER"));
    await owner.call("POST", "/api/settings", { ageGate: true });
    await app.context.restrictions.refresh();
    // The name of a headless browser would count as a bot's.
    const userAgent =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";
    const { page: newcomer } = await open({ ...phone, userAgent });
    await newcomer.goto("/home");
    await newcomer.getByRole("heading", { name: "Are you 18 or older?" }).waitFor();
    await expectAccessible(newcomer);
    await expectContrastInOtherScheme(newcomer);
    await owner.call("POST", "/api/settings", { ageGate: false });
    await app.context.restrictions.refresh();
  });
});

describe("keyboard", () => {
  it("skips to the content, and reaches every visible control of the bar", async () => {
    const visitor = await openVisitor(app.url);
    await serveThumbnails(visitor.page);
    const { page } = visitor;
    await page.goto("/home");
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to content" }).and(page.locator(":focus")).waitFor();
    const seen = new Set<string>();
    const ringless: string[] = [];
    for (let step = 0; step < 30; step += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement)) return null;
        const name = (element.getAttribute("aria-label") ?? element.innerText).trim();
        const hasRing = getComputedStyle(element).outlineStyle !== "none";
        return { name: name.split("\n")[0] ?? "", html: element.outerHTML.slice(0, 80), hasRing };
      });
      if (focused === null) continue;
      seen.add(focused.name);
      if (!focused.hasRing) ringless.push(focused.html);
    }
    expect(ringless).toEqual([]);
    for (const name of ["Home", "Categories", "Actors", "Tags", "Trending", "Sign In", "Newest"]) {
      expect(seen).toContain(name);
    }
  });
});

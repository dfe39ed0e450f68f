import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { makeDraft } from "#test/factories/make-video.ts";
import { makeClip } from "../support/admin-support.ts";
import { embedHostResult, serveEmbedHost } from "../support/embed-host.ts";
import { longDurationS } from "../support/player-clips.ts";
import { attackBackOffice, popupAttempts } from "../support/office-attack.ts";
import { measureOverflowPx } from "../support/page-width.ts";
import type { EnginePage } from "./support/engine-page.ts";
import type { EngineSite } from "./support/engine-site.ts";
import { retry } from "./support/in-page.ts";
import {
  heading,
  waitFor,
  waitForHydration,
  waitForPlaying,
  waitForText,
} from "./support/screen.ts";

/** Journeys that depend on the engine. Everything else is tested in Chromium alone. */
export const journeys: readonly ((site: EngineSite) => void)[] = [
  testPages,
  testPlayback,
  testAds,
  testAttacks,
  testFeed,
  testVisitors,
  testMembers,
  testOffice,
  testCut,
];

const screens = [
  ["/feed", ""],
  ["/home", ""],
  ["/ar/home", ""],
  ["/trending", "Trending"],
  ["/categories", "Categories"],
  ["/tags/slow", ""],
  ["/search?search=north", ""],
  ["/favorites", ""],
  ["/library", ""],
  ["/video/northern-lights", "Northern lights"],
  ["/report/clip-1", ""],
  ["/privacy", ""],
  // Opens in English, like all pages of the back office.
  ["/ar/auth/signin?next=1", "Sign in"],
  ["/video/none", ""],
] as const;

const video = ".player-media";

function testPages(site: EngineSite): void {
  it("hydrates every public screen, which fits a phone", async () => {
    site.expectProblems(/status of 404/);
    const page = await site.open("/home", { size: "phone" });
    const wide: string[] = [];
    for (const [path, title] of screens) {
      await page.goto(path);
      await waitForHydration(page);
      expect(await heading(page)).toContain(title);
      if ((await page.evaluate(measureOverflowPx)) > 0) wide.push(path);
    }
    expect(wide).toEqual([]);

    await page.goto("/ar/home");
    const card = () => document.querySelector("a[href='/ar/video/northern-lights']")?.textContent;
    expect(await page.evaluate(card)).toContain("قبل 3 أيام");
    await page.goto("/ar/library#follows");
    await waitFor(page, () => {
      const tab = document.querySelector("main nav [aria-current]")?.getBoundingClientRect();
      return tab !== undefined && tab.left >= -0.5 && tab.right <= innerWidth + 0.5;
    });
  });

  it("draws controls, frames and popups in the theme's colors and sizes", async () => {
    const page = await site.open("/report/clip-1", { size: "phone" });
    await waitForHydration(page);
    const choices = () =>
      [...document.querySelectorAll<HTMLInputElement>("input[type=radio]")].map((choice, index) => {
        choice.checked = index === 0;
        const { appearance, borderTopWidth } = getComputedStyle(choice);
        return { appearance, borderPx: parseFloat(borderTopWidth) };
      });
    const [chosen, ...others] = await page.evaluate(choices);
    expect(chosen?.borderPx).toBe(6);
    // WebKitGTK fills empty native radio buttons with white, and with black if they have an accent.
    expect(others.length).toBeGreaterThan(0);
    for (const { appearance, borderPx } of others) {
      expect(appearance).toBe("none");
      expect(borderPx).toBeLessThan(2);
    }

    await page.goto("/embed/northern-lights");
    await waitForHydration(page);
    // A frame on another site has no scrollbar.
    const widths = () => [document.documentElement.clientWidth, innerWidth];
    const [available, whole] = await page.evaluate(widths);
    expect(available).toBe(whole);

    const popup = { type: "popup", placement: "footer", linkUrl: "https://example.com/" };
    await site.withAd({ title: "A popup", ...popup }, async () => {
      await page.goto("/home");
      // The margins are equal, even if the scrollbar takes up space.
      const gaps = await waitFor(page, () => {
        const box = document.querySelector("body > .spot-popup")?.getBoundingClientRect();
        if (box === undefined) return null;
        return [box.left, document.documentElement.clientWidth - box.right];
      });
      expect(gaps).toEqual([16, 16]);
    });
  });

  it("shows the whole text of each search filter on a tablet", async () => {
    const page = await site.open("/search?search=north", { size: "tablet" });
    await waitForHydration(page);
    const missingWidths = () =>
      [...document.querySelectorAll<HTMLSelectElement>("main select")].map((filter) => {
        const complete = filter.cloneNode(true) as HTMLSelectElement;
        Object.assign(complete.style, { position: "absolute", width: "max-content" });
        filter.after(complete);
        const missing = complete.offsetWidth - filter.offsetWidth;
        complete.remove();
        return missing;
      });
    expect(await page.evaluate(missingWidths)).toEqual([0, 0, 0, 0, 0]);
  });
}

/** Runs in the page. */
function seek(css: string, positionS: number): void {
  const media = document.querySelector<HTMLVideoElement>(css);
  if (media !== null) media.currentTime = positionS;
}

function testPlayback(site: EngineSite): void {
  it("plays a video by HLS, seeks in it and shows its captions", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await waitForPlaying(page, video);
    // The progressive file hands over to the ladder.
    await waitFor(
      page,
      (css) => document.querySelector<HTMLVideoElement>(css)?.currentSrc.startsWith("blob:"),
      video,
    );
    await waitForPlaying(page, video);
    await page.evaluate(seek, video, 40);
    const at = await waitFor(
      page,
      (css) => {
        const media = document.querySelector<HTMLVideoElement>(css);
        return media !== null && media.currentTime > 40.3 ? media.currentTime : null;
      },
      video,
    );
    expect(at).toBeLessThan(60);
    await page.press("c");
    await waitForText(page, ".player-captions p", "Look up");
    await page.click({ css: ".player button", name: "Settings" });
    const bar = await waitFor(page, () => {
      const menu = document.querySelector("[role=menu]");
      // WebKit before 26 lacks the property.
      return menu === null ? null : (getComputedStyle(menu).scrollbarColor ?? "none");
    });
    expect(bar).not.toBe("auto");
  });

  it("obeys player.js on a page of another origin", () => testEmbedHost(site));

  it("plays in a sandboxed frame of another origin", () => testSandboxedEmbed(site));

  it("fills the screen by key, and returns", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await waitForPlaying(page, video);
    await fillScreen(page, true);
    await waitForPlaying(page, video);
    await fillScreen(page, false);
    await waitForPlaying(page, video);
  });
}

/** The other page plays, seeks, and asks. The video of the journeys is the long one. */
async function testEmbedHost(site: EngineSite): Promise<void> {
  await using host = await serveEmbedHost(`${site.app.url}/embed/northern-lights`);
  const page = await site.open("/embed/northern-lights");
  await page.goto(host.url);
  const result = await waitFor(page, () => Reflect.get(window, "result"));
  expect(result).toEqual(embedHostResult(longDurationS));
}

/** Plays in a sandboxed frame, and shows the host the position. */
const sandboxScript = `
const frame = document.querySelector("iframe");
addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  const { event, value } = JSON.parse(data);
  const request = { context: "player.js", method: "addEventListener", value: "timeupdate" };
  if (event === "ready") source.postMessage(request, "*");
  if (event === "timeupdate" && value.seconds > 0) window.result = "plays";
});
`;

async function testSandboxedEmbed(site: EngineSite): Promise<void> {
  const owner = createClient(site.app.url, await site.app.signIn("OWNER"));
  const setSiteUrl = async (siteUrl: string) =>
    expect((await owner.call("POST", "/api/settings", { siteUrl })).status).toBe(200);
  const address = `${site.app.url}/embed/northern-lights?autoplay=1&muted=1`;
  await using host = await serveEmbedHost(address, 'sandbox="allow-scripts"', sandboxScript);
  // WebKit loads the frame's scripts only if the policy lists the site's address.
  await setSiteUrl(site.app.url);
  try {
    const page = await site.open("/embed/northern-lights");
    await page.goto(host.url);
    expect(await waitFor(page, () => Reflect.get(window, "result"))).toBe("plays");
  } finally {
    await setSiteUrl("");
  }
}

/** Presses F, and again if nothing happens: WebKit ignores a request during its own animation. */
async function fillScreen(page: EnginePage, isWanted: boolean): Promise<void> {
  let pressedAt = -Infinity;
  await retry(
    async () => {
      const isFull = await page.evaluate(
        () => document.fullscreenElement?.querySelector("video") != null,
      );
      if (isFull === isWanted) return true;
      if (performance.now() - pressedAt < 5000) return false;
      pressedAt = performance.now();
      await page.press("f");
      return false;
    },
    async () => `${page.engine}: full screen isn't ${isWanted}`,
  );
}

function testAds(site: EngineSite): void {
  const card = { title: "A card", linkUrl: "https://example.com/", type: "video" };

  it("plays on after a pre-roll on a phone", async () => {
    await site.withAd({ ...card, placement: "preroll" }, async () => {
      const page = await openBreak(site, { size: "phone", startsAtS: 0 });
      await page.click({ css: "button", name: "Skip Ad" });
      await waitForPlaying(page, video);
    });
  });

  it("plays on after a seek to just before an ad break", async () => {
    await site.withAd({ ...card, placement: "midroll" }, async () => {
      const page = await openBreak(site, { startsAtS: 36 });
      await page.click({ css: "button", name: "Skip Ad" });
      await waitForPlaying(page, video);
      const position = (css: string) => document.querySelector<HTMLVideoElement>(css)?.currentTime;
      expect(await page.evaluate(position, video)).toBeGreaterThan(36);
    });
  });

  it("keeps an ad's script away from the page and the visitor's data", async () => {
    // Some engines return an empty string instead of throwing an error.
    const tries = [
      "if (document.cookie === '') throw 0",
      "localStorage.length",
      "parent.document",
      "top.location.href",
    ];
    const content = `<p id="said"></p><script>
      const said = [self.origin];
      ${tries.map((code) => `try { ${code}; said.push("reached") } catch { said.push("refused") }`).join("\n")}
      parent.parent.postMessage({ said }, "*")</script>`;
    await site.withAd(
      { title: "Isolated", type: "banner", placement: "header", content },
      async () => {
        const page = await site.open("/home");
        await waitForHydration(page);
        await page.evaluate(() => {
          addEventListener("message", ({ data }: MessageEvent<{ said?: string[] }>) => {
            if (data.said !== undefined) Object.assign(window, { said: data.said });
          });
        });
        await page.click("a[href='/video/northern-lights']");
        const said = await waitFor(page, () => (window as { said?: string[] }).said);
        expect(said).toEqual(["null", ...tries.map(() => "refused")]);
      },
    );
  });
}

function testAttacks(site: EngineSite): void {
  it("lets a trusted ad do nothing with a session that appears beside it", async () => {
    // The server refuses these requests, and its headers forbid these frames.
    site.expectProblems(/status of|status code|Frame|frame|CSP violation|Refused|Load|load/);
    const { app } = site;
    const { db } = app.database;
    const picture = "v/draft-files/picture.webp";
    await app.context.storage.putBytes(picture, "picture");
    const title = "Only for the back office";
    const draft = { slug: "hidden-draft", title, media_token: "draft-files" };
    await makeDraft(db, { ...draft, thumbnail_key: picture });
    const user = await makeUser(db, { is_owner: true });
    const { token } = await app.context.auth.signIn(user.email, testPassword, testOrigin);
    const ad = { type: "banner", placement: "header", trust: "page", title: "Trusted" };
    const content = `<script>window.attack = ${attackBackOffice.toString()}</script>`;
    await site.withAd({ ...ad, content }, async (adId) => {
      const page = await site.open("/home");
      await page.evaluate(() => {
        document.cookie = "consent=yes; path=/";
      });
      await page.goto("/video/northern-lights");
      await waitFor(page, () => "attack" in window);
      const file = `/media/${picture}`;
      const targets = { adId, draft: { slug: draft.slug, title, file }, userId: user.id };
      // Attempts start with a press, because engines block windows that a script opens by itself.
      await page.evaluate(
        (given, session, popups) => {
          // As if the owner had signed in in another tab.
          document.cookie = `session=${session}; path=/`;
          const found = { results: {} as Record<string, string> };
          Object.assign(window, found);
          const attack = Reflect.get(window, "attack") as typeof attackBackOffice;
          const rounds = [
            // `history` may load another document, which ends the script.
            (name: string) => name !== "history" && !popups.includes(name),
            ...popups.map((popup) => (name: string) => name === popup),
          ];
          const button = document.createElement("button");
          button.id = "next-round";
          button.style.cssText = "position: fixed; inset: 0 auto auto 0; z-index: 999";
          button.textContent = "Next round";
          button.addEventListener("click", () => {
            const isTried = rounds.shift();
            if (isTried === undefined) return;
            button.disabled = true;
            void attack(given, isTried).then((round) => {
              Object.assign(found.results, round);
              button.disabled = false;
              if (rounds.length === 0) button.dataset["isDone"] = "";
            });
          });
          document.body.append(button);
        },
        targets,
        token,
        [...popupAttempts],
      );
      for (let round = 0; round <= popupAttempts.length; round += 1) {
        await page.click("#next-round");
        await waitFor(page, () => document.querySelector("#next-round:enabled") !== null);
      }
      const results = await page.evaluate(
        () => Reflect.get(window, "results") as Record<string, string>,
      );
      expect(Object.entries(results).filter(([, outcome]) => outcome !== "refused")).toEqual([]);
      expect(Object.keys(results).length).toBeGreaterThan(25);
    });
  });
}

/**
 * Opens the video and seeks to just before an ad break. The video waits for an ad for only three
 * seconds, so a busy machine may miss the break, and the page is opened again.
 */
async function openBreak(
  site: EngineSite,
  { size, startsAtS }: { size?: "phone" | "laptop"; startsAtS: number },
): Promise<EnginePage> {
  const page = await site.open("/video/northern-lights", { size });
  for (let triesLeft = 4; !(await reachBreak(page, startsAtS)); triesLeft -= 1) {
    if (triesLeft === 0) throw new Error(`${page.engine}, ${page.size}: five openings without ad`);
    await page.goto("/video/northern-lights");
  }
  return page;
}

/** Returns whether the break at this position of the opened video shows an ad. */
async function reachBreak(page: EnginePage, startsAtS: number): Promise<boolean> {
  if (startsAtS > 0) {
    await waitForHydration(page);
    await waitForPlaying(page, video);
    await page.evaluate(seek, video, startsAtS - 1);
  }
  const result = await waitFor(
    page,
    (css, missedAtS) => {
      const ad = document.querySelector(".spot-break");
      if (ad?.checkVisibility() && ad.textContent.includes("Advertisement")) return "shown";
      const media = document.querySelector<HTMLVideoElement>(css);
      return ad === null && media !== null && media.currentTime > missedAtS ? "missed" : null;
    },
    video,
    startsAtS + 3,
  );
  return result === "shown";
}

const activeVideo = ".feed-item[data-active] video";

/** Waits until this item fills the frame and the scroll has ended. */
const waitForItem = (page: EnginePage, number: number) =>
  waitFor(
    page,
    (wanted) => {
      const item = document.querySelector(".feed-item[data-active]");
      const scroller = document.querySelector(".feed-scroller");
      if (item === null || scroller === null) return false;
      const way = item.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      return Number(item.getAttribute("aria-posinset")) === wanted && Math.abs(way) < 1.5;
    },
    number,
  );

async function openFeed(site: EngineSite, size: "phone" | "laptop"): Promise<EnginePage> {
  const page = await site.open("/feed", { size });
  await waitFor(
    page,
    () =>
      document.querySelectorAll(".feed-item:not([hidden])").length > 1 &&
      document.querySelector("[role=feed][aria-busy=false]") !== null,
  );
  await waitForPlaying(page, activeVideo);
  return page;
}

function testFeed(site: EngineSite): void {
  it("plays the feed and moves by swipes on a phone", async () => {
    const page = await openFeed(site, "phone");
    await page.swipe({ x: 150, y: 560 }, { x: 150, y: 260 });
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    await page.swipe({ x: 150, y: 260 }, { x: 150, y: 560 });
    await waitForItem(page, 1);
  });

  it("moves one item per short swipe while the page is busy", async () => {
    const page = await openFeed(site, "phone");
    // Blocks most frames of the animation, like a slow device.
    await page.evaluate(() => {
      setInterval(() => {
        const endMs = performance.now() + 120;
        while (performance.now() < endMs);
      }, 160);
    });
    for (const [number, way] of [
      [2, 56],
      [3, 56],
      [2, -56],
      [1, -56],
    ] as const) {
      await page.swipe({ x: 150, y: 400 + way / 2 }, { x: 150, y: 400 - way / 2 });
      await waitForItem(page, number);
    }
  });

  it("moves one item for a key or a turn of the wheel", async () => {
    const page = await openFeed(site, "laptop");
    await page.press("ArrowDown");
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    await page.press("ArrowUp");
    await waitForItem(page, 1);
    await page.wheel({ x: 720, y: 450 }, 240);
    await waitForItem(page, 2);
    await page.wheel({ x: 720, y: 450 }, -240);
    await waitForItem(page, 1);
  });
}

/** Expects a dialog on the screen, which scrolls only if its content doesn't fit. */
async function expectWholeDialog(page: EnginePage): Promise<void> {
  const { hidden, isOnScreen, spare } = await waitFor(page, () => {
    const dialog = document.querySelector("[role=dialog].dialog-popup");
    if (dialog === null || dialog.getAnimations({ subtree: true }).length > 0) return null;
    const body = dialog.querySelector(".overflow-y-auto") ?? dialog;
    const { top, bottom } = dialog.getBoundingClientRect();
    return {
      hidden: body.scrollHeight - body.clientHeight,
      isOnScreen: top >= 0 && bottom <= innerHeight,
      spare: innerHeight - (bottom - top),
    };
  });
  expect(isOnScreen).toBe(true);
  if (spare > 40) expect(hidden).toBeLessThanOrEqual(1);
}

function testVisitors(site: EngineSite): void {
  it("opens a dialog that fits a phone, and returns the focus on Escape", async () => {
    const page = await site.open("/video/northern-lights", { size: "phone" });
    await waitForHydration(page);
    await page.click({ css: "button", name: "Share" });
    await expectWholeDialog(page);
    const address = () => document.querySelector<HTMLInputElement>("[role=dialog] input")?.value;
    expect(await waitFor(page, address)).toContain("/video/northern-lights");
    await page.press("Escape");
    await waitFor(page, () => document.querySelector("[role=dialog]") === null);
    await waitFor(page, () => document.activeElement?.textContent === "Share");
  });

  it("likes a video by keyboard, and keeps it in the library", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    const like = "[role=group] button[aria-pressed=false]";
    await page.evaluate((css) => document.querySelector<HTMLElement>(css)?.focus(), like);
    await page.press("Enter");
    await waitForText(page, "[role=group] button[aria-pressed=true]:focus", "Liked");
    await page.goto("/library");
    await waitForText(page, "main section:first-of-type", "Northern lights");
    const first = () => document.querySelector("main section h2")?.textContent;
    expect(await page.evaluate(first)).toBe("Favorites");
    await page.goto("/library#history");
    await waitForText(page, "main", "Northern lights");
  });

  it("suggests videos while a visitor types in the header's box, and searches", async () => {
    const page = await site.open("/home");
    await waitForHydration(page);
    await page.enter("header input[type=search]", "nor");
    await waitForText(page, "header [role=option]", "Northern");
    await page.press("Enter");
    await waitFor(page, () => location.search === "?search=nor");
    await waitForText(page, "main", "Northern lights");
  });
}

/** Waits for a row of a table with these texts. */
async function waitForRow(page: EnginePage, ...texts: string[]): Promise<void> {
  await waitFor(
    page,
    (wanted) =>
      [...document.querySelectorAll("tr")].some((row) =>
        wanted.every((text) => row.textContent.includes(text)),
      ),
    texts,
  );
}

function testOffice(site: EngineSite): void {
  it("signs in", async () => {
    // The form requests the session before it sends the password.
    site.expectProblems(/status of 401/);
    const user = await makeUser(site.app.db);
    const page = await site.open("/auth/signin", { size: "phone" });
    await waitForHydration(page);
    await page.enter("input[name=email]", user.email);
    await page.enter("input[name=password]", testPassword);
    await page.click({ css: "button[type=submit]", name: "Sign in" });
    await waitFor(page, () => location.pathname === "/admin");
    await waitForText(page, "main", "Total Videos");
  });

  it("publishes an uploaded video and edits it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kinora-engine-"));
    const title = "Upload of an engine";
    try {
      await makeClip(join(folder, "clip.mp4"));
      const page = await site.openAdmin("/admin/videos");
      await page.click({ css: "button", name: "Upload Video" });
      await expectWholeDialog(page);
      await page.setFiles("input[type=file]", join(folder, "clip.mp4"));
      await page.click({ css: "[role=dialog] button", name: "Continue" });
      await page.enter({ css: "[role=dialog] input", name: "Title" }, title);
      await page.click({ css: "[role=dialog] button", name: "Upload Video" });
      await waitForRow(page, title, "Draft", "Ready");

      await page.click({
        css: "tr:has([aria-label='Edit Upload of an engine']) button",
        name: "Draft",
      });
      await waitForText(page, "[role=alertdialog], [role=dialog]", `publish "${title}"?`);
      await page.click({ css: "[role=alertdialog] button, [role=dialog] button", name: "Publish" });
      await waitForRow(page, title, "Published");

      await page.click({ css: "button", name: `Edit ${title}` });
      await page.enter({ css: "[role=dialog] input", name: "Title" }, "Edited in an engine");
      await page.click({ css: "[role=dialog] button", name: "Update Video" });
      await waitForRow(page, "Edited in an engine", "Published");
      const { json } = await site.admin.call("GET", "/api/videos?search=Edited+in+an+engine");
      expect(json.videos[0]).toMatchObject({ title: "Edited in an engine", isPublished: true });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

function testCut(site: EngineSite): void {
  it("removes a part of a video with keys, and previews the rest", async () => {
    const { json } = await site.admin.call("GET", "/api/videos/northern-lights");
    const page = await site.openAdmin(`/admin/videos/${json.id}/cut`);
    await waitForText(page, "main", "Parts to keep (1)");
    const enterTime = async (name: string, time: string) => {
      await page.enter({ css: "main input", name }, time);
      await page.press("Enter");
    };
    await enterTime("Start", "0:01");
    await enterTime("End", "0:03");
    await waitForText(page, "main", "0:02.000 selected");
    await page.click({ css: "main button", name: "Next frame" });
    await page.press("x");
    await waitForText(page, "main", "Removed: 0:01.000 to 0:03.000");
    await page.press("Home");
    await page.press("p");
    await waitFor(page, () => (document.querySelector("video")?.currentTime ?? 0) > 3);
    await page.press("p");
    await page.click({ css: "main button", name: "Undo last step" });
    await waitForText(page, "main", "Nothing is removed.");
  });
}

function testMembers(site: EngineSite): void {
  it("plays a video for members after the link of a pass was opened", async () => {
    const { admin } = site;
    const settings = (premiumAccess: string) =>
      admin.call("POST", "/api/settings", { premiumAccess });
    const { json: found } = await admin.call("GET", "/api/videos/northern-lights");
    const mark = (isPremium: boolean) =>
      admin.call("PUT", `/api/videos/${found.id}`, { isPremium });
    await mark(true);
    await settings("members");
    try {
      const { json: pass } = await admin.call("POST", "/api/admin/passes", { days: 1 });
      const page = await site.open("/video/northern-lights", { size: "phone" });
      await waitForText(page, ".locked p", "Only members can watch this video.");
      await waitForHydration(page);
      await page.goto(`/pass?next=/video/northern-lights#${pass.code}`);
      await waitForText(page, "main button", "Use it here");
      expect(await page.evaluate(() => location.hash)).toBe("");
      await page.click({ css: "main button", name: "Use it here" });
      await waitForText(page, "[role=status]", "This device uses the pass.");
      await page.click({ css: "main a", name: "Continue to the videos" });
      await waitFor(
        page,
        () => document.querySelector(".player:not(.locked) .player-media") !== null,
      );
      await waitFor(page, () => document.querySelector("header a[href^='/pass']") !== null);
    } finally {
      await settings("badge");
      await mark(false);
    }
  });
}

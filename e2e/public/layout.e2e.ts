import { describe, expect, it } from "vitest";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { phone, provoked, screens, type VisitorOptions } from "../support/browser.ts";
import { languages } from "../support/languages.ts";
import { layoutShiftSoFar } from "../support/layout-shifts.ts";
import { cards, serveThumbnails } from "../support/public-site.ts";
import { shareSite } from "../support/shared-site.ts";
import { overflowPx } from "../support/page-width.ts";

const words = ["loop", "hand made", "winter nights", "a word that is long", "green"];

const longTitle = "A rose window for no church, filmed from the organ loft";

const site = shareSite(async (app) => {
  const { db } = app;
  const tagIds: string[] = [];
  for (let number = 0; number < 40; number += 1) {
    const name = `${words[number % words.length] ?? ""} ${number}`;
    tagIds.push((await makeTag(db, { name })).id);
  }
  const description = "Lamps, dawns, and what falls through windows. None of it has a tripod.";
  const night = await makeCategory(db, { name: "Filmed by night", slug: "night", description });
  const categoryIds = [night.id];
  const actorIds = [(await makeActor(db, { name: "Ada Loom" })).id];
  await makeVideo(db, { title: longTitle, slug: "organ-loft", views: 100_000 }, { categoryIds });
  for (const title of ["A wheel that turns by itself", "The loom", "Lamps and what they light"]) {
    await makeVideo(db, { title }, { tagIds, categoryIds, actorIds });
  }
});

/** The videos of this site have no files. */
const open = (options: VisitorOptions = {}) => site.open({ expectProblems: provoked, ...options });

it.each([
  ["/tags", "laptop"],
  ["/tags", "phone"],
  ["/search", "laptop"],
  ["/search", "phone"],
  ["/search?search=loom", "tablet"],
  ["/trending", "phone"],
  ["/trending", "laptop"],
  ["/categories", "tablet"],
  ["/actors", "phone"],
  ["/library", "phone"],
  ["/privacy", "laptop"],
] as const)(
  "causes no layout shift at %s on a %s when the web font loads late",
  async (path, screen) => {
    const { page } = await open({ viewport: screens[screen], reducedMotion: "reduce" });
    await serveThumbnails(page);
    let sendFont = () => {};
    const isWanted = new Promise<void>((resolve) => {
      sendFont = resolve;
    });
    await page.route("**/*.woff2", async (route) => {
      await isWanted;
      await route.continue();
    });
    await page.goto(path, { waitUntil: "domcontentloaded" });
    const paints = () => page.evaluate(() => performance.getEntriesByType("paint").length);
    await expect.poll(paints).toBeGreaterThan(0);
    // The fallback font is installed on the device.
    const statuses = () =>
      page.evaluate(() =>
        [...document.fonts]
          .filter((font) => /Variable/.test(font.family))
          .map((font) => font.status),
      );
    await expect.poll(statuses).toContain("loading");
    expect(await statuses()).not.toContain("loaded");
    sendFont();
    await expect.poll(statuses).toContain("loaded");
    await expect.poll(statuses).not.toContain("loading");
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(await layoutShiftSoFar(page)).toBeLessThan(0.02);
  },
);

it("keeps the search filters on one line on a tablet, whatever their widths", async () => {
  const { page } = await open({ viewport: screens.tablet });
  await page.goto(`/search?search=loom&category=${encodeURIComponent(longTitle)}`);
  const filters = page.getByRole("form", { name: "Filters" }).locator("select");
  const boxes = await Promise.all((await filters.all()).map((filter) => filter.boundingBox()));
  expect(boxes).toHaveLength(5);
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  expect(await overflowPx(page)).toBe(0);
});

it("keeps fields at 16 px and everything clear of the camera on a phone in landscape", async () => {
  const { page } = await open({ ...phone, viewport: { width: 844, height: 390 } });
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setSafeAreaInsetsOverride", { insets: { left: 47, right: 47 } });
  await page.goto("/search?search=loom");
  const fontSizes = await page
    .locator(".field")
    .evaluateAll((fields) => fields.map((field) => getComputedStyle(field).fontSize));
  expect(new Set(fontSizes)).toEqual(new Set(["16px"]));
  const boxes = await page
    .locator("header :is(a, button, input), main :is(a, button, input, select)")
    .filter({ visible: true })
    .evaluateAll((all) =>
      all
        .filter((element) => element.closest(".no-scrollbar, .sr-only") === null)
        .map((element) => element.getBoundingClientRect())
        .map(({ left, right }) => [left, right]),
    );
  expect(boxes.length).toBeGreaterThan(10);
  expect(Math.min(...boxes.flat())).toBeGreaterThanOrEqual(47);
  expect(Math.max(...boxes.flat())).toBeLessThanOrEqual(844 - 47);
});

it("leaves no space for a second line below a row of short titles on a phone", async () => {
  const { page } = await open({ viewport: screens.phone });
  await page.goto("/categories/night");
  const rows = await cards(page).evaluateAll((all) => {
    const boxes = all.map((card) => {
      const texts = [...card.querySelectorAll("*")].filter(
        (element) => element.children.length === 0 && element.textContent.trim() !== "",
      );
      const bottoms = texts.map((element) => element.getBoundingClientRect().bottom);
      const { top, bottom } = card.getBoundingClientRect();
      return { top, bottom, textBottom: Math.max(...bottoms) };
    });
    const tops = [...new Set(boxes.map(({ top }) => Math.round(top)))];
    return tops.map((top) => {
      const row = boxes.filter((box) => Math.round(box.top) === top);
      return (
        Math.max(...row.map(({ bottom }) => bottom)) - Math.max(...row.map((b) => b.textBottom))
      );
    });
  });
  expect(rows.length).toBeGreaterThan(1);
  for (const emptyPx of rows) expect(emptyPx).toBeLessThan(20);
});

it("leads to the library from the header of a tablet", async () => {
  const { page } = await open({ viewport: screens.tablet });
  await serveThumbnails(page);
  await page.goto("/home");
  await page.getByRole("banner").getByRole("link", { name: "Your library" }).click();
  await page.waitForURL("**/library");
});

it("keeps the popular tags in one row on a tablet", async () => {
  const { page } = await open({ viewport: screens.tablet });
  await serveThumbnails(page);
  await page.goto("/search");
  const tags = page.getByRole("region", { name: "Popular tags" }).getByRole("listitem");
  const tops = await tags.evaluateAll((items) =>
    items.map((item) => item.getBoundingClientRect().top),
  );
  expect(tops.length).toBeGreaterThan(10);
  expect(new Set(tops).size).toBe(1);
  expect(await overflowPx(page)).toBe(0);
});

describe.each(languages)("on a phone in $language", ({ prefix }) => {
  it("keeps the link to the next clip clear of the clip's text without scripts", async () => {
    const { page } = await open({ ...phone, javaScriptEnabled: false });
    await serveThumbnails(page);
    await page.goto("/feed");
    const next = await page.locator(".feed-next-link").boundingBox();
    const text = await page.locator(".feed-info h2").first().boundingBox();
    expect(next?.height).toBeGreaterThan(24);
    expect((next?.y ?? 0) + (next?.height ?? 0)).toBeLessThan(text?.y ?? 0);
  });

  it("shows no placeholders of favorites without scripts", async () => {
    const { page } = await open({ ...phone, javaScriptEnabled: false });
    await page.goto(`${prefix}/favorites`);
    await page.locator("main h1").waitFor();
    expect(await page.locator("main noscript p").textContent()).toContain("JavaScript");
    expect(await page.locator(".skeleton:visible").count()).toBe(0);
  });

  it("keeps the arrow of a search filter while it has the focus", async () => {
    const { page } = await open();
    await page.goto("/search?search=loom");
    const filter = page.locator("main select").first();
    await filter.focus();
    const arrow = () => filter.evaluate((element) => getComputedStyle(element).backgroundImage);
    await expect.poll(arrow).toContain("svg");
  });

  it("cuts the top video's title after two lines, but never inside a word", async () => {
    const { page } = await open(phone);
    await serveThumbnails(page);
    await page.goto(`${prefix}/trending?timeRange=all`);
    const title = page.locator("dd bdi", { hasText: longTitle });
    const lines = () =>
      title.evaluate((each) =>
        Math.round(each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)),
      );
    await expect.poll(lines).toBe(2);
  });

  it("leaves space for videos below the heading of a category with cover and text", async () => {
    await using visitor = await open(phone);
    const { page } = visitor;
    await serveThumbnails(page);
    await page.goto(`${prefix}/categories/night`);
    await page.locator("[data-cover]").waitFor();
    const top = () =>
      cards(page, prefix)
        .first()
        .evaluate((each) => each.getBoundingClientRect().top);
    await expect.poll(top).toBeLessThan(screens.phone.height / 3);
  });

  it("keeps the search filters in one row and in place when one is chosen", async () => {
    const { page } = await open(phone);
    await serveThumbnails(page);
    await page.goto(`${prefix}/search?search=loom&length=short`);
    const filters = page.locator("main form", { has: page.locator("select") });
    const order = filters.locator("select[name=sort]");
    await expect.poll(async () => (await filters.boundingBox())?.height).toBeLessThan(64);
    // Before hydration, a change isn't noticed.
    await expect
      .poll(async () => {
        await order.focus();
        await order.selectOption("newest");
        return page.url();
      })
      .toContain("sort=newest");
    await cards(page, prefix).first().waitFor();
    await expect.poll(() => order.inputValue()).toBe("newest");
    const state = () =>
      order.evaluate((each) => ({
        isFocused: document.activeElement === each,
        isInside: Math.abs(each.closest("form")?.scrollLeft ?? 0) > 0,
      }));
    await expect.poll(state).toEqual({ isFocused: true, isInside: true });
  });

  it("fits followed names inside the screen, however long", async () => {
    const { page } = await open(phone);
    await page.addInitScript((name) => {
      const follows = [{ kind: "actors", slug: "ada-loom", name }];
      localStorage.setItem("kinora.library", JSON.stringify({ follows }));
    }, longTitle);
    await page.goto(`${prefix}/library`);
    const unfollow = page.locator("main li button");
    await unfollow.waitFor();
    const isInside = () =>
      unfollow.evaluate((each) => {
        const { left, right } = each.getBoundingClientRect();
        return left >= 0 && right <= innerWidth;
      });
    await expect.poll(isInside).toBe(true);
  });

  it("keeps the keyboard focus clear of the bars and the open menu", async () => {
    const { page } = await open(phone);
    await serveThumbnails(page);
    await page.goto(`${prefix}/tags`);
    const menu = page.locator("header details");
    const button = menu.locator("summary");
    const isOpen = () => menu.evaluate((each: HTMLDetailsElement) => each.open);
    // Before hydration, the menu stays open.
    await expect
      .poll(async () => {
        if (!(await isOpen())) await button.click();
        await page.locator("main a").last().focus();
        return isOpen();
      })
      .toBe(false);
    await button.focus();
    await page.keyboard.press("Enter");
    await expect.poll(isOpen).toBe(true);
    const covered: string[] = [];
    for (let step = 0; step < 70; step += 1) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const focused = document.activeElement ?? document.body;
        const { left, top, width, height } = focused.getBoundingClientRect();
        const shown = document.elementFromPoint(left + width / 2, top + height / 2);
        return focused.contains(shown) ? null : (focused.textContent ?? "");
      });
      if (name !== null) covered.push(name);
    }
    expect(covered).toEqual([]);
    await expect.poll(isOpen).toBe(false);
  });
});

it("keeps the time ranges in one row on a phone in German", async () => {
  const { page } = await open(phone);
  await page.goto("/de/trending");
  const chips = page.locator("main nav li");
  const tops = await chips.evaluateAll((items) =>
    items.map((item) => item.getBoundingClientRect().top),
  );
  expect(tops).toHaveLength(4);
  expect(new Set(tops).size).toBe(1);
});

it("keeps the player above the bottom bar on a phone in landscape", async () => {
  const { page } = await open({ viewport: { width: 667, height: 375 } });
  await page.goto("/video/organ-loft");
  const player = await page.locator(".player").boundingBox();
  const bar = await page.locator("nav.fixed").boundingBox();
  if (player === null || bar === null) throw new Error("no player or no bar");
  expect(player.y + player.height).toBeLessThanOrEqual(bar.y);
});

it("skips rendering related videos below the first screen of a phone only", async () => {
  const { page } = await open({ viewport: screens.laptop });
  await page.goto("/video/organ-loft");
  const related = page.locator(".video-page-aside > section");
  const rendering = () => related.evaluate((list) => getComputedStyle(list).contentVisibility);
  expect(await rendering()).toBe("visible");
  await page.setViewportSize(screens.phone);
  await expect.poll(rendering).toBe("auto");
});

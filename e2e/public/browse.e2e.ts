import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { makeUser, testPassword } from "#test/factories/make-user.ts";
import { arabic } from "../support/languages.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { cards, usePublicSite } from "../support/public-site.ts";
import { phone, screens } from "../support/browser.ts";

const site = usePublicSite();

describe("trending", () => {
  it("has four tiles, a range with This Week first, and no growth for All Time", async () => {
    const { page } = await site.visit("/trending");
    for (const name of ["Videos", "Views", "Likes", "Top Video"]) {
      await page.locator("dt", { hasText: new RegExp(`^${name}$`) }).waitFor();
    }
    await expect
      .poll(() => page.getByRole("link", { name: "This Week" }).getAttribute("aria-current"))
      .toBe("true");
    await page.route("**/api/trending/stats**", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const stats = { ...json.stats, viewsGrowth: 12.5, likesGrowth: -3 };
      await route.fulfill({ json: { ...json, stats } });
    });
    await page.getByRole("link", { name: "Today" }).click();
    await page.locator("dd", { hasText: "up+12.5%" }).waitFor();
    await page.locator("dd", { hasText: "down-3.0%" }).waitFor();
    await page.unroute("**/api/trending/stats**");
    await page.getByRole("link", { name: "All Time" }).click();
    await page.waitForURL("**/trending?timeRange=all");
    await page.locator("dd", { hasText: "Study 1" }).getByText("99.0K views").waitFor();
    await expect.poll(() => page.locator("dd", { hasText: "%" }).count()).toBe(0);
    await expect.poll(() => cards(page).first().innerText()).toContain("Study 1");
  });
});

describe("trending in Arabic", () => {
  const { prefix } = arabic;
  it("shows an arrow for significant growth only", async () => {
    await using visitor = await site.visit(`${prefix}/trending`);
    const { page } = visitor;
    const figures = { totalVideos: 7, totalViews: 8, totalLikes: 9 };
    await page.route("**/api/trending/stats**", (route) => {
      const isDay = route.request().url().includes("today");
      const stats = { ...figures, viewsGrowth: isDay ? 12.5 : 0.04, likesGrowth: 0 };
      return route.fulfill({ json: { stats, topVideo: null } });
    });
    const growth = page.locator("dd [dir=ltr]");
    await page.locator("main a[href*='timeRange=today']").click();
    await growth.getByText(/12\.5/).waitFor();
    await page.locator("main a[href*='timeRange=month']").click();
    await expect.poll(() => growth.getByText(/0\.0/).count()).toBe(2);
    await expect.poll(() => page.locator("dd svg").count()).toBe(0);
  });
});

describe("trending on a phone in Arabic", () => {
  const { prefix } = arabic;
  it("shows each range in full", async () => {
    const { page } = await site.visit(`${prefix}/trending?timeRange=all`, {
      viewport: screens.phone,
    });
    const chips = page.locator("main nav a");
    const countInside = () =>
      chips.evaluateAll((all) => {
        const boxes = all.map((one) => one.getBoundingClientRect());
        return boxes.filter(({ left, right }) => left >= 16 && right <= innerWidth - 16).length;
      });
    await expect.poll(countInside).toBe(4);
  });
});

describe("tags, categories, actors", () => {
  it.each([
    ["/categories", "Categories", "Fractals", "/categories/fractals", 10],
    ["/tags", "Tags", "#slow", "/tags/slow", 15],
    ["/actors", "Actors", "Ada Loom", "/actors/ada-loom", 4],
  ])(
    "links from %s to the single pages and their videos",
    async (path, title, name, href, count) => {
      const { page } = await site.visit(path);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page
        .locator("main")
        .getByRole("link", { name: new RegExp(`^${name}|${name}$`, "m") })
        .first()
        .click();
      await page.waitForURL(`**${href}`);
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await expect.poll(() => cards(page).count()).toBe(Math.min(count, 12));
    },
  );

  it.each([
    ["/categories", "/categories/fractals"],
    ["/actors", "/actors/ada-loom"],
    ["/ar/categories", "/ar/categories/fractals"],
    ["/ar/actors", "/ar/actors/ada-loom"],
  ])("shows a cover of the best video on %s and its pages", async (path, single) => {
    const { page } = await site.visit(path);
    const isShown = (image: Locator) =>
      image.evaluate((each: HTMLImageElement) => each.complete && each.naturalWidth > 0);
    const cover = page.locator(`main a[href="${single}"] img`);
    await expect.poll(() => isShown(cover)).toBe(true);
    await cover.click();
    await page.waitForURL(`**${single}`);
    await expect.poll(() => isShown(page.locator("[data-cover] img"))).toBe(true);
    const shifts = await noteLayoutShifts(page);
    for (const each of [path, single]) {
      await page.goto(each);
      await page.locator("main img").first().waitFor();
      await expect.poll(shifts).toBeLessThan(0.02);
    }
  });

  it("shows only heading and intro if the operator configured it", async () => {
    const cookie = await site.app.signIn();
    const save = (browseListings: boolean) =>
      fetch(`${site.url}/api/settings`, {
        method: "POST",
        headers: { cookie, origin: site.url, "content-type": "application/json" },
        body: JSON.stringify({ browseListings }),
      });
    expect((await save(false)).status).toBe(200);
    const html = await (await fetch(`${site.url}/tags/slow`)).text();
    expect(html).toContain("#slow</bdi></h1>");
    expect(html).not.toContain("Study 30");
    expect((await save(true)).status).toBe(200);
  });

  it("responds with 404 for an unknown tag", async () => {
    const response = await fetch(`${site.url}/tags/there-is-none`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("<title>Tag not found · ");
  });
});

describe("a long press on a card", () => {
  it("plays the preview instead of opening the video, in Arabic", async () => {
    const { prefix } = arabic;
    const { page } = await site.visit(`${prefix}/home?sort=most_viewed`, {
      ...phone,
      expectProblems: /media/i,
    });
    const card = page.locator(`main a[href='${prefix}/video/study-1']`);
    const preview = card.locator("video");
    await card.scrollIntoViewIfNeeded();
    const box = await card.boundingBox();
    if (box === null) throw new Error("no card");
    const client = await page.context().newCDPSession(page);
    const at = { x: box.x + box.width / 2, y: box.y + 30 };
    await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
    await preview.waitFor({ state: "attached" });
    await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await preview.waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).pathname).toBe(`${prefix}/home`);
  });
});

describe("navigation", () => {
  it("has a collapsible menu and three tabs on a phone", async () => {
    const { page } = await site.visit("/home", { viewport: screens.phone });
    const tabs = page.getByRole("navigation", { name: "Tabs" });
    await expect
      .poll(() => tabs.getByRole("link").allInnerTexts())
      .toEqual(["For You", "Search", "Favorites"]);
    await tabs.getByRole("link", { name: "Favorites" }).click();
    await page.waitForURL("**/favorites");
    await tabs.locator('[aria-current="page"]', { hasText: "Favorites" }).waitFor();
    const main = page.getByRole("navigation", { name: "Main" });
    await expect.poll(() => main.getByRole("link", { name: "Trending" }).isVisible()).toBe(false);
    const toLibrary = main.getByLabel("Your library", { exact: true });
    expect(await toLibrary.getAttribute("aria-current")).toBe("page");
    await main.getByLabel("Menu").click();
    await main.getByRole("link", { name: "Trending" }).click();
    await page.waitForURL("**/trending");
    await expect.poll(() => main.getByRole("link", { name: "Trending" }).isVisible()).toBe(false);
  });

  it("links to the feed in the bar, and to Home and Trending in the feed of a phone", async () => {
    const { page: wide } = await site.visit("/home", { viewport: screens.laptop });
    await wide
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "For You" })
      .waitFor();
    const { page } = await site.visit("/feed", { ...phone, expectProblems: /media/i });
    for (const name of ["Home", "Trending"]) {
      await page.locator(".feed-places").getByRole("link", { name }).click();
      await page.waitForURL(`**/${name.toLowerCase()}`);
      await page.goto("/feed");
    }
  });

  it("has no bottom bar from medium screens up", async () => {
    const { page } = await site.visit("/home", { viewport: screens.tablet });
    await expect.poll(() => page.getByRole("navigation", { name: "Tabs" }).isVisible()).toBe(false);
  });

  it("responds to an unknown address with a page and status 404", async () => {
    const response = await fetch(`${site.url}/nothing/here`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Page not found</h1>");
  });
});

describe("sign-in", () => {
  it("refuses with Invalid credentials, then opens the requested page", async () => {
    const { email } = await makeUser(site.app.db, { role: "ADMIN" });
    const { page } = await site.visit("/auth/signin?next=%2Fadmin%2Ftags", {
      expectProblems: /401/,
    });
    await page.getByLabel("Email").fill(email);
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("wrong");
    await page.getByRole("button", { name: "Show password" }).click();
    await expect.poll(() => password.getAttribute("type")).toBe("text");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Invalid credentials").waitFor();
    await password.fill(testPassword);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/admin/tags");
    const saved = await page.evaluate(() => localStorage.getItem("user"));
    expect(JSON.parse(saved ?? "{}")).toMatchObject({ email, role: "ADMIN" });
    await page.goto("/home");
    await page.getByRole("link", { name: "Admin" }).first().waitFor();
    await page.getByRole("button", { name: "Sign Out" }).first().click();
    await page.getByRole("link", { name: "Sign In" }).first().waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("user"))).toBeNull();
  });

  it("reports an error if the server can't be reached", async () => {
    const { page } = await site.visit("/auth/signin", {
      expectProblems: /ERR_FAILED|Failed to load/,
    });
    await page.route("**/api/auth/signin", (route) => route.abort());
    await page.getByLabel("Email").fill("a@example.test");
    await page.getByLabel("Password", { exact: true }).fill("whatever");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("An error occurred. Please try again.").waitFor();
  });

  it("removes a corrupt saved user", async () => {
    const { page } = await site.visit("/home");
    await page.evaluate(() => localStorage.setItem("user", "{nonsense"));
    await page.reload();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("user"))).toBeNull();
    await page.getByRole("link", { name: "Sign In" }).first().waitFor();
  });

  it("works without scripts", async () => {
    const { email } = await makeUser(site.app.db, { role: "ADMIN" });
    const { page } = await site.visit("/auth/signin", { javaScriptEnabled: false });
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Invalid credentials").waitFor();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(testPassword);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/admin");
  });
});

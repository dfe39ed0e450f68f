import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { networkTag, startAdServer, type AdServer } from "../support/ads-server.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { addClip } from "../support/player-clips.ts";
import { openVisitor, provoked } from "../support/browser.ts";
import { useAdsSite } from "../support/ads-site.ts";

let context: BrowserContext;
let page: Page;
let slug: string;

const site = useAdsSite({ title: "An ad", type: "banner", placement: "header" }, async (filled) => {
  slug = (await addClip(filled, "wide-0")).slug;
});
const { app, server, admin, createAd, totalsOf } = site;
beforeEach(() => {
  ({ context, page } = site);
});

const videoPage = () => `${app.url}/video/${slug}`;
const header = ".spot[data-slot=header]";

const consentQuestion = () => page.getByRole("region", { name: "Ads from other companies" });

describe("isolated HTML", () => {
  const tries = {
    cookie: "document.cookie",
    localStorage: "localStorage.getItem('theme')",
    sessionStorage: "sessionStorage.length",
    indexedDB:
      "await new Promise((y, n) => { const r = indexedDB.open('x'); r.onsuccess = y; r.onerror = () => n(r.error) })",
    parent: "parent.document.title",
    parentStorage: "parent.localStorage.length",
    top: "top.location.href",
    lead: "top.location.assign('/trending')",
    read: "(await fetch(SITE + '/api/ads', { credentials: 'include' })).status",
    session: "await (await fetch(SITE + '/api/auth/session', { credentials: 'include' })).json()",
    write:
      "(await fetch(SITE + '/api/ads', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{\"title\":\"planted\",\"type\":\"banner\",\"placement\":\"header\"}' })).status",
    worker: "await navigator.serviceWorker.register('/x.js')",
  };

  test("runs its script without access to data of the visitor or the page", async () => {
    const attempts = Object.entries(tries)
      .map(
        ([name, code]) => `
        try { const r = ${code}; result["${name}"] = "REACHED " + JSON.stringify(r) }
        catch (error) { result["${name}"] = "refused" }`,
      )
      .join("\n");
    const blind = `
      fetch(SITE + "/api/videos/${slug}/like", { method: "POST", mode: "no-cors", credentials: "include" }).catch(() => {});
      const form = document.createElement("form");
      form.method = "post"; form.action = SITE + "/api/auth/signout"; document.body.append(form);
      try { form.submit() } catch {}`;
    const ad = await createAd({
      content: `<p id="said">nothing</p><script>(async () => {
        const SITE = ${JSON.stringify(app.url)}, result = { origin: self.origin };
        ${attempts}
        ${blind}
        document.getElementById("said").textContent = JSON.stringify(result);
      })()</script>`,
    });
    // Signed in as an administrator, the most valuable session.
    const [name = "", value = ""] = site.adminCookie.split("=");
    await context.addCookies([{ name, value, url: app.url, httpOnly: true, sameSite: "Lax" }]);
    await page.goto(videoPage());
    const frame = page.frameLocator(`iframe[src="/spots/frame/${ad.id}"]`).frameLocator("iframe");
    await frame.locator("#said", { hasText: "{" }).waitFor();
    const said: Record<string, string> = JSON.parse(await frame.locator("#said").innerText());
    const { origin, ...results } = said;
    expect(origin).toBe("null");
    expect(results).toEqual(Object.fromEntries(Object.keys(tries).map((key) => [key, "refused"])));

    const sandbox = await page.locator(`${header} iframe`).getAttribute("sandbox");
    expect(sandbox).toBe("allow-scripts allow-popups allow-popups-to-escape-sandbox");
    expect((await admin.call("GET", "/api/ads?search=planted")).json.ads).toEqual([]);
    expect((await admin.call("GET", "/api/auth/session")).json.user).not.toBeNull();
    const { json } = await createClient(app.url).call("GET", `/api/videos/${slug}/like`);
    expect(json.likesCount).toBe(0);
    expect(page.url()).toBe(videoPage());
  });

  test("keeps its slot dark until the ad's white document has loaded", async () => {
    const ad = await createAd({ content: "<p id=said>An ad</p>" });
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/spots/frame/${ad.id}`, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(videoPage(), { waitUntil: "commit" });
    const frame = page.locator(`${header} iframe`);
    await frame.waitFor();
    const backgroundOf = (element: Locator) =>
      element.evaluate((shown) => getComputedStyle(shown).backgroundColor);
    expect(await backgroundOf(frame)).toBe("rgba(0, 0, 0, 0)");
    release();
    const body = frame.contentFrame().locator("iframe").contentFrame().locator("body");
    expect(await backgroundOf(body)).toBe("rgb(255, 255, 255)");
  });

  test("prevents an ad from framing a page of the site", async () => {
    await createAd({
      content: `<script>location.href = ${JSON.stringify(`${app.url}/trending`)}</script>`,
    });
    await page.goto(videoPage());
    // The policy of these pages only allows frames of the site itself, not the ad's frame.
    const inside = await page.waitForEvent("framenavigated", (frame) =>
      frame.url().startsWith("chrome-error:"),
    );
    await expect.poll(() => inside.evaluate(() => self.origin)).toBe("null");
    expect(page.frames().map((frame) => frame.url())).not.toContain(`${app.url}/trending`);
  });
});

describe("HTML that the operator trusts", () => {
  test("runs scripts in the page in order, and inserts written HTML after its script", async () => {
    const content = `<div id="own">own</div>
      <script>window.order = ["first"]; document.getElementById("own").textContent = "ran"</script>
      <script src="${server.url}/script.js"></script>
      <script>window.order.push("last"); document.write("<em id='written'>wr" + "itten</em>")</script>`;
    await createAd({ content, trust: "page" });
    await page.goto(videoPage());
    await consentQuestion().getByRole("button", { name: "Accept" }).click();
    await page.locator("#written", { hasText: "written" }).waitFor();
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, "order")))
      .toEqual(["first", "external", "last"]);
    await expect.poll(() => page.locator("#own").innerText()).toBe("ran");
    // The application is still there.
    await expect.poll(() => page.locator("h1").count()).toBe(1);
    const policy = (await page.request.get(videoPage())).headers()["content-security-policy"];
    expect(policy).toContain(server.url);
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
  });

  test("waits for consent that is as easy to refuse as to give, and can be withdrawn", async () => {
    await createAd({ content: "<script>window.ran = true</script><i id=own>x</i>", trust: "page" });
    const shifts = await noteLayoutShifts(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(videoPage());
    const question = consentQuestion();
    const [refuse, accept] = [
      question.getByRole("button", { name: "Decline" }),
      question.getByRole("button", { name: "Accept" }),
    ];
    await accept.waitFor();
    const look = (button: Locator) =>
      button.evaluate((element) => {
        const { width, height } = element.getBoundingClientRect();
        const { backgroundColor, color, fontWeight } = getComputedStyle(element);
        return { width, height, backgroundColor, color, fontWeight };
      });
    expect(await look(refuse)).toEqual(await look(accept));
    expect(await shifts()).toBeLessThan(0.02);

    // The first Tab stop after the skip link.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await refuse.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    // The page is the same for all visitors, regardless of their consent.
    const own = await page.request.get(videoPage());
    expect(await own.text()).toBe(await (await fetch(videoPage())).text());

    await page.reload();
    await page.getByRole("contentinfo").getByRole("link", { name: "Ad choices" }).click();
    await page.getByText("You declined ads from other companies.").waitFor();
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByText("You accepted ads from other companies.").waitFor();
    await page.goto(videoPage());
    await page.locator("#own").waitFor();
    await expect.poll(() => page.evaluate(() => Reflect.get(window, "ran"))).toBe(true);

    await page.goto(`${app.url}/privacy`);
    await Promise.all([
      page.waitForEvent("load"),
      page.getByRole("button", { name: "Decline" }).click(),
    ]);
    await page.getByText("You declined ads from other companies.").waitFor();
    await page.goto(videoPage());
    // An empty slot takes no space.
    await page.locator(`${header}[data-consent=all]`).waitFor({ state: "hidden" });
    await page.getByRole("slider", { name: "Seek" }).waitFor({ state: "attached" });
    expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  });

  test("is isolated again on the next page after its trust is removed", async () => {
    const ad = await createAd({
      content: "<script>window.ran = true</script><i>x</i>",
      trust: "page",
    });
    await admin.call("PUT", `/api/ads/${ad.id}`, { trust: "isolated" });
    await page.goto(videoPage());
    await page.frameLocator(`${header} iframe`).frameLocator("iframe").locator("i").waitFor();
    expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  });
});

describe("the tag of a network", () => {
  let frames: AdServer;
  beforeAll(async () => {
    frames = await startAdServer();
  });
  afterAll(() => frames.stop());

  const modes = [
    {
      trust: "isolated",
      inside: () => page.frameLocator(`${header} iframe`).frameLocator("iframe"),
    },
    { trust: "page", inside: () => page.locator(header) },
  ];

  test.each(modes)("shows its creative with its origins listed ($trust)", async (mode) => {
    const { trust, inside } = mode;
    const content = networkTag(server, frames);
    await context.addCookies([{ name: "consent", value: "yes", url: app.url }]);
    const policyOf = async () =>
      (await page.request.get(videoPage())).headers()["content-security-policy"] ?? "";
    const ad = await createAd({ content, trust, origins: [server.url] });
    const blocked = page.waitForEvent("console", (message) => message.text().includes(frames.url));
    await page.goto(videoPage());
    expect((await blocked).text()).toMatch(/frame/i);
    expect(frames.requests).toEqual([]);
    expect(await policyOf()).not.toContain(frames.url);

    await admin.call("PUT", `/api/ads/${ad.id}`, { origins: [server.url, frames.url] });
    // Cached pages no longer have the former policy.
    if (trust === "page") await expect.poll(policyOf).toContain(frames.url);
    await page.goto(videoPage());
    const creative = inside().frameLocator("ins iframe");
    await creative.getByText("A creative of the network").waitFor();
    await expect.poll(() => frames.requests.length).toBe(1);
    frames.requests.length = 0;
    await admin.call("PUT", `/api/ads/${ad.id}`, { isActive: false });
    await expect.poll(policyOf).not.toContain(frames.url);
  });
});

describe("a slot in the page", () => {
  test.each([
    ["covered", "#cover { position: fixed; inset: 0; z-index: 99999 }"],
    ["transparent", "[data-slot=header] { opacity: 0 }"],
    ["without size", "[data-slot=header] { transform: scale(0) }"],
  ])("counts no ad as viewable while it is %s", async (_, rule) => {
    const ad = await createAd({ imageUrl: `${server.url}/picture.svg` });
    await page.addInitScript((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [sheet];
      document.addEventListener("DOMContentLoaded", () => {
        const cover = document.createElement("div");
        cover.id = "cover";
        document.documentElement.append(cover);
      });
    }, rule);
    await page.goto(videoPage());
    await expect.poll(async () => (await totalsOf(ad)).impressions).toBe(1);
    // Waits longer than the time in view that counts as viewable.
    await page.waitForFunction(
      (endMs) => performance.now() > endMs,
      2500 + (await page.evaluate(() => performance.now())),
    );
    expect((await totalsOf(ad)).viewable).toBe(0);
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
    await expect.poll(async () => (await totalsOf(ad)).viewable).toBe(1);
  });

  test("has a unique name among the landmarks of the page", async () => {
    const places = [
      ["header", "top"],
      ["sidebar", "side"],
      ["footer", "bottom"],
    ] as const;
    for (const [placement] of places) await createAd({ placement, title: `Of the ${placement}` });
    await page.goto(videoPage());
    for (const [placement, place] of places) {
      await page.locator(`.spot[data-slot=${placement}]`).scrollIntoViewIfNeeded();
      const slot = page.getByRole("complementary", { name: `Advertisement at the ${place}` });
      await slot.getByText(`Of the ${placement}`).waitFor();
    }
  });

  test("explains why an ad is shown, and doesn't show a stopped ad again", async () => {
    const ad = await createAd({ title: "For some", targetDevices: ["desktop"] });
    await createAd({ title: "For all", isHouse: true });
    await page.goto(videoPage());
    const slot = page.locator(header, { hasText: "For some" });
    await slot.getByRole("button", { name: "About this advertisement" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Why this advertisement?" });
    await dialog.getByText("This ad targets visitors who use a computer.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await slot.getByRole("button", { name: "About this advertisement" }).click();
    await dialog.getByRole("button", { name: "Hide this ad" }).click();
    await slot.waitFor({ state: "hidden" });
    await page.reload();
    await page.locator(header, { hasText: "For all" }).waitFor();
    expect((await totalsOf(ad)).impressions).toBe(1);
  });

  test.each(["/home", "/trending"])(
    "causes no layout shift on %s while scrolling to the end",
    async (path) => {
      await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          makeVideo(app.db, { title: `Study ${at} `.repeat(1 + ((at * 5) % 9)) }),
        ),
      );
      await createAd({ placement: "footer", imageUrl: `${server.url}/picture.svg` });
      const shifts = await noteLayoutShifts(page);
      await page.goto(app.url + path);
      await page.waitForLoadState("networkidle");
      const cards = page.locator("main li > a[href^='/video/']");
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 20_000);
          return cards.count();
        })
        .toBeGreaterThanOrEqual(40);
      await page.locator(".spot[data-slot=footer] img").waitFor();
      expect(await shifts()).toBeLessThan(0.02);
    },
  );

  test("keeps closed slots and popups closed after a reload and in other tabs, for half an hour", async () => {
    await createAd({ title: "Close me" });
    await createAd({ type: "popup", placement: "sidebar", title: "Over the page" });
    await page.goto(videoPage());
    await page.locator(header, { hasText: "Close me" }).waitFor();
    const popup = page.locator(".spot-popup");
    await popup.getByRole("button", { name: "Close advertisement" }).click();
    await popup.waitFor({ state: "detached" });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.locator(`${header} .spot-close`).click();
    await page.locator(header).waitFor({ state: "hidden" });
    // The next video page in the same document leaves no empty space for the slot.
    await page.getByRole("link", { name: "Home", exact: true }).first().click();
    await page.locator('main a[href^="/video/"]').first().click();
    await page.waitForURL("**/video/*");
    await page.locator(".player-controls").waitFor({ state: "attached" });
    expect(await page.locator(header).count()).toBe(0);
    await createAd({ placement: "footer", title: "Below" });
    await page.reload();
    // The footer's ad loads after the slots above it have settled.
    await page.locator(".spot[data-slot=footer]").scrollIntoViewIfNeeded();
    await page.locator(".spot[data-slot=footer]", { hasText: "Below" }).waitFor();
    await expect.poll(() => page.locator(header).isVisible()).toBe(false);
    await expect.poll(() => popup.count()).toBe(0);
    expect(asked.filter((url) => /placement=(header|sidebar)/.test(url))).toEqual([]);
    const other = await context.newPage();
    await other.goto(videoPage());
    const footer = other.locator(".spot[data-slot=footer]");
    await footer.scrollIntoViewIfNeeded();
    await footer.filter({ hasText: "Below" }).waitFor();
    await expect.poll(() => other.locator(header).isVisible()).toBe(false);
    // Simulates half an hour passing.
    await other.evaluate((now) => {
      const closed = localStorage.getItem("spots-closed") ?? "";
      localStorage.setItem("spots-closed", closed.replaceAll(/@\d+/g, `@${now}`));
    }, Date.now());
    await other.reload();
    await other.locator(header, { hasText: "Close me" }).waitFor();
  });

  test("requests nothing on a page without ads, and shows nothing when the request is blocked", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(videoPage());
    await page.locator(".player-controls").waitFor({ state: "attached" });
    expect(asked.filter((path) => path.startsWith("/api/spots"))).toEqual([]);

    await createAd({ title: "Blocked" });
    await page.route("**/api/spots/**", (route) => route.abort());
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    const failed = page.waitForEvent("requestfailed", (request) =>
      request.url().includes("/api/spots/public"),
    );
    await page.goto(videoPage());
    await failed;
    await page.locator(`${header}[data-state=empty]`).waitFor({ state: "attached" });
    expect(problems).toEqual([]);
    await expect.poll(() => page.locator(header).innerText()).toBe("");
    await expect.poll(() => page.locator("h1").isVisible()).toBe(true);
  });
});

test("shows no empty ad area and no useless button without scripts", async () => {
  await createAd({ title: "Not shown" });
  const { page } = await openVisitor(app.url, {
    javaScriptEnabled: false,
    expectProblems: provoked,
  });
  await page.goto(videoPage());
  await expect.poll(() => page.locator(header).count()).toBe(1);
  await expect
    .poll(() => page.locator(".spot:visible, button[type=button]:visible").count())
    .toBe(0);
  await expect.poll(() => page.locator("video[controls]:visible").count()).toBe(1);
});

import { beforeAll, expect, test } from "vitest";
import { addShortClips } from "../support/player-clips.ts";
import { desktop, openVisitor } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();
beforeAll(async () => {
  await addShortClips(app, 2);
});

const likesOf = async (slug: string) => {
  const row = await app.db
    .selectFrom("videos")
    .select("likes")
    .where("slug", "=", slug)
    .executeTakeFirst();
  return row?.likes ?? 0;
};

test("handles a click made before the scripts have loaded once, after hydration", async () => {
  const { page } = await openVisitor(app.url, desktop);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  let likes = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/like")) likes += 1;
  });
  await page.goto(`${app.url}/video/clip-1`, { waitUntil: "commit" });
  await page.getByRole("button", { name: /^Like/ }).click();
  expect(likes).toBe(0);
  release();
  await expect.poll(() => likesOf("clip-1")).toBe(1);
  expect(likes).toBe(1);
});

test("acts once on a click made during hydration", async () => {
  const { page } = await openVisitor(app.url, desktop);
  // Hydration begins when the app adds its first listener to its root.
  await page.addInitScript(() => {
    const original = EventTarget.prototype.addEventListener;
    let isDone = false;
    EventTarget.prototype.addEventListener = function add(...given) {
      original.apply(this, given);
      if (isDone || !(this instanceof Element) || this.id !== "root" || given[0] !== "click")
        return;
      isDone = true;
      queueMicrotask(() =>
        [...document.querySelectorAll<HTMLButtonElement>("[aria-label=Actions] button")]
          .find(({ innerText }) => innerText.trim() === "Save")
          ?.click(),
      );
    };
  });
  const favorite = (method: string) =>
    page.waitForResponse(
      (each) => each.url().endsWith("/favorite") && each.request().method() === method,
    );
  const [saved, status] = [favorite("POST"), favorite("GET")];
  // The response with the status before the click arrives last.
  await page.route("**/favorite", async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    await saved;
    await route.fulfill({ response });
  });
  await page.goto(`${app.url}/video/clip-0`);
  await page.getByText("Saved to Favorites").waitFor();
  await (await status).finished();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  await page.locator(".player-controls").waitFor({ state: "attached" });
  // A second click would remove it again.
  await expect
    .poll(() => page.getByRole("button", { name: "Save" }).getAttribute("aria-pressed"))
    .toBe("true");
  await page.goto(`${app.url}/favorites`);
  await page.locator('main a[href$="/video/clip-0"]').first().waitFor();
});

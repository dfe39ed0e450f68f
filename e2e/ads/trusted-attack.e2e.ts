import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { makeDraft, type VideoRow } from "#test/factories/make-video.ts";
import { openVisitor } from "../support/browser.ts";
import { attackBackOffice } from "../support/office-attack.ts";
import { useAdsSite, userAgent } from "../support/ads-site.ts";
import { addClip } from "../support/player-clips.ts";

const draftTitle = "Only for the back office";
const draftFile = "/media/v/draft-files/picture.webp";
let draft: VideoRow;
let slug: string;
const site = useAdsSite(
  { title: "An ad", type: "banner", placement: "header", trust: "page" },
  async (app) => {
    slug = (await addClip(app, "wide-0")).slug;
    await app.context.storage.putBytes(draftFile.replace("/media/", ""), "picture");
    draft = await makeDraft(app.db, {
      slug: "hidden-draft",
      title: draftTitle,
      media_token: "draft-files",
      thumbnail_key: draftFile.replace("/media/", ""),
    });
  },
);

let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  ({ page } = await openVisitor(site.app.url, {
    userAgent,
    serviceWorkers: "allow",
    // The browser reports each attempt of the ad that it refuses.
    expectProblems: /./,
  }));
  context = page.context();
  await context.addCookies([{ name: "consent", value: "yes", url: site.app.url }]);
});
afterEach(() => context.close());

/** Opens a video with a trusted ad, and waits until the ad's script runs. */
async function openWithAd(script: string): Promise<{ id: string }> {
  const ad = await site.createAd({ content: `<script>${script};window.runs = true</script>` });
  await page.goto(`/video/${slug}`);
  await page.waitForFunction(() => Reflect.get(window, "runs") === true);
  return ad;
}

/** Signs in as an owner in this browser, as in another tab. */
async function signIn(): Promise<{ userId: string }> {
  const user = await makeUser(site.app.db, { is_owner: true });
  const { token } = await site.app.context.auth.signIn(user.email, testPassword, testOrigin);
  const { id, email, name } = user;
  await context.addCookies([{ name: "session", value: token, url: site.app.url, httpOnly: true }]);
  await page.evaluate((saved) => localStorage.setItem("user", JSON.stringify(saved)), {
    id,
    email,
    name,
    role: "ADMIN",
  });
  return { userId: id };
}

async function expectOffice(office: Page): Promise<void> {
  await office.getByText("Total Videos").waitFor();
  expect(await office.evaluate(() => Reflect.get(window, "planted"))).toBeUndefined();
}

test("lets a trusted ad do nothing with a session that appears beside it", async () => {
  const ad = await openWithAd(`window.attack = ${attackBackOffice.toString()}`);
  const { userId } = await signIn();
  const office = await context.newPage();
  await office.goto("/admin");
  await expectOffice(office);
  const targets = {
    adId: ad.id,
    draft: { slug: draft.slug, title: draftTitle, file: draftFile },
    userId,
  };
  const result = await page.evaluate(
    (given) => (Reflect.get(window, "attack") as typeof attackBackOffice)(given),
    targets,
  );
  expect(Object.entries(result).filter(([, reached]) => reached !== "refused")).toEqual([]);
  expect(Object.keys(result).length).toBeGreaterThan(25);
  // The page beside it works, and its draft has a page with its file.
  await office.goto("/admin/videos");
  await office.getByText(draftTitle).first().waitFor();
  await office.goto(`/video/${draft.slug}`);
  await office.getByRole("heading", { name: draftTitle }).waitFor();
});

test("keeps the back office free of what a trusted ad stores in the browser", async () => {
  await openWithAd("void 0");
  const scripts = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLScriptElement>("script[src*='/assets/']")].map(
      ({ src }) => src,
    ),
  );
  expect(scripts.length).toBeGreaterThan(0);
  await page.evaluate(async (addresses) => {
    await navigator.serviceWorker.register("/offline.js");
    await navigator.serviceWorker.ready;
    const office = await (await fetch("/admin")).text();
    const more = [...office.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path]) => String(path));
    const cache = await caches.open("library-1");
    const planted = () =>
      new Response("window.planted = true", { headers: { "content-type": "text/javascript" } });
    for (const address of [...addresses, ...more]) await cache.put(address, planted());
    await cache.put(
      "/admin",
      new Response("<script>planted = true</script>", { headers: { "content-type": "text/html" } }),
    );
  }, scripts);
  // An upload that a former page of the back office seems to have submitted.
  await page.evaluate(async () => {
    const opening = indexedDB.open("kinora-uploads", 1);
    opening.addEventListener("upgradeneeded", () => {
      opening.result.createObjectStore("uploads", { keyPath: "id" });
      opening.result.createObjectStore("files");
    });
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.addEventListener("success", () => resolve(opening.result));
    });
    const file = new Blob([new Uint8Array(9 * 1024 * 1024)], { type: "video/mp4" });
    const form = {
      ...{ title: "Planted", description: "", categories: "", tags: "", actors: "" },
      ...{ isPremium: false, outcome: "draft", publishAt: "" },
    };
    const upload = {
      ...{ id: "planted", name: "planted.mp4", sizeBytes: file.size, type: "video/mp4", form },
      ...{ thumbnail: null, durationS: 1, uploadUrl: "https://evil.example/api/uploads/1" },
      ...{ isSubmitted: true, seal: "0".repeat(64) },
    };
    const writing = database.transaction(["uploads", "files"], "readwrite");
    writing.objectStore("uploads").put(upload);
    writing.objectStore("files").put(file, "planted");
    await new Promise((resolve) => writing.addEventListener("complete", resolve));
    database.close();
  });
  const foreign: string[] = [];
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== site.app.url) foreign.push(request.url());
  });
  // An answer about the file's content would replace the status that the test looks for.
  await context.route("/api/uploads", () => undefined);
  await signIn();
  await page.goto("/admin/videos");
  await page
    .getByRole("button", { name: /Planted/ })
    .getByText("Waiting for details")
    .waitFor();
  await page.goto("/admin");
  await expectOffice(page);
  expect(foreign).toEqual([]);
});

test("hides the address of a page with a secret from the ads of the next page", async () => {
  const secret = "s3cr3t-in-the-address";
  await site.createAd({
    content: `<script>window.seen = JSON.stringify([document.referrer,
      performance.getEntries().map(({ name }) => name), history.state,
      globalThis.navigation?.entries().map(({ url }) => url)]);</script>`,
  });
  for (const path of [`/auth/reset?token=${secret}`, `/private/${secret}`]) {
    await page.goto(path);
    await page.getByRole("link", { name: "Home" }).first().click();
    await page.waitForURL("**/home");
    await page.evaluate((next) => {
      const link = document.createElement("a");
      link.href = next;
      document.body.append(link);
      link.click();
    }, `/video/${slug}`);
    await page.waitForFunction(() => Reflect.get(window, "seen") !== undefined);
    const seen = await page.evaluate(() => String(Reflect.get(window, "seen")));
    expect(seen).toContain(`/video/${slug}`);
    expect(seen).not.toContain(secret);
  }
});

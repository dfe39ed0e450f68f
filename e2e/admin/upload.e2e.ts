import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { makeVideo } from "#test/factories/make-video.ts";
import { makeClip, openAdmin, padClip, sha256Of, useAdmin } from "../support/admin-support.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { h264, picture } from "#test/sample-videos.ts";
import { screens, provoked } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";
import { makeFolder } from "#test/shared.ts";

let page: Page;
const dir = makeFolder("upload");
let clip: string;

const megabyte = 1024 * 1024;

const app = usePages();
beforeAll(async () => {
  clip = join(dir, "my_first-clip.mp4");
  await makeClip(clip);
});
const admin = useAdmin(app, { expectProblems: provoked });
beforeAll(() => {
  page = admin.page;
});
beforeEach(async () => {
  await page.unrouteAll();
  await app.db.deleteFrom("videos").execute();
  await page.goto("/admin/videos");
  await page.getByRole("button", { name: "Upload Video" }).first().click();
});

const dialogOf = (on: Page) => on.getByRole("dialog", { name: "Upload Video" });
const choose = (on: Page, ...files: string[]) =>
  dialogOf(on).locator("input[type=file]").first().setInputFiles(files);
const submitOf = (on: Page) => dialogOf(on).getByRole("button", { name: "Upload Video" });

/** Closes the wizard and discards its files. */
async function cancel(): Promise<void> {
  await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
  await dialogOf(page).waitFor({ state: "hidden" });
}

async function readVideos() {
  return app.db.selectFrom("videos").selectAll().orderBy("created_at").execute();
}

it("sends the specified form with a thumbnail, and closes once the video exists", async () => {
  const { size } = await stat(clip);
  const dialog = dialogOf(page);
  await choose(page, clip);
  const picture = dialog.getByRole("img", { name: "Thumbnail for my_first-clip.mp4" });
  await picture.waitFor();
  await dialog.getByText(`${(size / 1024).toFixed(2)} KB · video/mp4`).waitFor();
  const measured = await picture.evaluate((image) => {
    const { naturalWidth, naturalHeight } = image as unknown as {
      naturalWidth: number;
      naturalHeight: number;
    };
    return [naturalWidth, naturalHeight];
  });
  expect(measured).toEqual([320, 180]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByLabel("Title").fill("A first clip");
  await dialog.getByLabel("Categories").fill("Night, Rain");
  await dialog.getByLabel("Premium Content").check();
  // The browser doesn't expose the bytes of a file. The other fields are visible.
  await page.evaluate(() => {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function record(body) {
      if (body instanceof FormData) {
        const entries = [...body].map(([name, value]) =>
          value instanceof File ? [name, value.name, value.type] : [name, value],
        );
        document.body.dataset["sent"] = JSON.stringify(entries);
      }
      send.call(this, body);
    };
  });
  await submitOf(page).click();
  await page.getByText("Video uploaded successfully").waitFor();
  await dialog.waitFor({ state: "hidden" });
  const sent = await page.locator("body").getAttribute("data-sent");
  expect(JSON.parse(sent ?? "")).toEqual([
    ["title", "A first clip"],
    ["duration", expect.stringMatching(/^2(\.\d+)?$/)],
    ["categories", "Night, Rain"],
    ["isPremium", "true"],
    ["thumbnail", "my_first-clip-thumbnail.jpg", "image/webp"],
    ["video", "my_first-clip.mp4", "video/mp4"],
  ]);
  await page.getByRole("row").filter({ hasText: "A first clip" }).waitFor();
  await expect
    .poll(() => readVideos())
    .toMatchObject([{ title: "A first clip", is_premium: true }]);
});

it("offers other frames at once if the specified one is black", async () => {
  const intro = join(dir, "black-intro.mp4");
  const made = await encodeClip("black-intro.mp4", [
    ...picture("320x180", 4, 12),
    ...["-vf", "drawbox=t=fill:c=black:enable='lt(t,2)'", ...h264, "-movflags", "+faststart"],
  ]);
  await copyFile(made, intro);
  await choose(page, intro);
  const dialog = dialogOf(page);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByText("The video is black at a quarter of its duration.").waitFor();
  const frames = dialog.getByRole("list", { name: "Thumbnails" }).getByRole("button");
  expect(await frames.count()).toBe(4);
  const shown = dialog.getByRole("img", { name: "Thumbnail for black-intro.mp4" });
  const before = await shown.getAttribute("src");
  await frames.last().click();
  await expect.poll(() => frames.last().getAttribute("aria-pressed")).toBe("true");
  expect(await shown.getAttribute("src")).not.toBe(before);
  await cancel();
});

it("sends several files with the same details, even after a reload, and publishes them", async () => {
  const second = join(dir, "second_clip.mp4");
  await makeClip(second);
  await choose(page, clip, second);
  await dialogOf(page).getByRole("button", { name: "Continue" }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel("Title for second_clip.mp4").fill("Second of two");
  await dialog.getByLabel("Tags").fill("together");
  await dialog.getByLabel("After uploading").selectOption("publish");
  // Drafts are saved after a pause in typing.
  await expect.poll(() => page.evaluate(readRemembered)).toEqual(["publish", "publish"]);
  page.once("dialog", (question) => void question.accept());
  await page.reload();
  const dock = page.getByRole("button", { name: /2 uploads/ });
  await dock.getByText("Waiting for details").waitFor();
  await page.context().setOffline(true);
  await dock.getByText("Waiting for network").waitFor();
  await page.context().setOffline(false);
  await dock.click();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("button", { name: "Remove together" }).waitFor();
  await dialog.getByRole("button", { name: "Upload all" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect
    .poll(async () => (await readVideos()).map((video) => [video.title, video.is_published]))
    .toEqual(
      expect.arrayContaining([
        ["my first clip", true],
        ["Second of two", true],
      ]),
    );
});

it("covers neither the last row nor the pages of the table with the dock", async () => {
  for (let n = 0; n < 12; n += 1) {
    await makeVideo(app.db, { thumbnail_key: null, progressive_key: null });
  }
  await choose(page, clip);
  await dialogOf(page).getByRole("button", { name: "Continue" }).click();
  await dialogOf(page).getByLabel("Title").fill("In the dock");
  // The form is saved after a pause in typing, and the file as soon as it is copied.
  await expect.poll(() => page.evaluate(readKept)).toEqual({ titles: ["In the dock"], files: 1 });
  await page.reload();
  const dock = page.locator(".upload-dock");
  await expect
    .poll(() => dock.allInnerTexts())
    .toEqual([expect.stringMatching(/In the dock\s+Waiting for details/)]);
  await page.getByText("Showing 1 to 10 of 12 videos").waitFor();
  const covered = () =>
    page.evaluate(() => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      const over = document.querySelector(".upload-dock")?.getBoundingClientRect();
      const controls = document.querySelectorAll(
        "#content tbody tr:last-child :is(a, button, input), #content nav :is(a, button)",
      );
      const hidden = [...controls].filter((control) => {
        const at = control.getBoundingClientRect();
        if (over === undefined) return true;
        const isBeside = at.right <= over.left || over.right <= at.left;
        return !isBeside && at.top < over.bottom && over.top < at.bottom;
      });
      return {
        controls: controls.length,
        hidden: hidden.map(({ ariaLabel, textContent }) => ariaLabel ?? textContent),
      };
    });
  for (const screen of [screens.phone, screens.laptop]) {
    await page.setViewportSize(screen);
    await expect.poll(covered).toEqual({ controls: expect.any(Number), hidden: [] });
    expect((await covered()).controls).toBeGreaterThan(6);
  }
  const question = page.getByRole("alertdialog", { name: "Discard your changes?" });
  await dock.click();
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(await page.evaluate(readKept)).toEqual({ titles: ["In the dock"], files: 1 });
  await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await dialogOf(page).waitFor({ state: "hidden" });
});

/** Reads the titles of the forms and the number of files that the browser has saved. */
async function readKept(): Promise<{ titles: string[]; files: number }> {
  const wait = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(new Error("no database")));
    });
  const database = await wait(indexedDB.open("kinora-uploads", 1));
  const both = database.transaction(["uploads", "files"]);
  const forms: { form: { title: string } }[] = await wait(both.objectStore("uploads").getAll());
  const files = await wait(both.objectStore("files").count());
  database.close();
  return { titles: forms.map(({ form }) => form.title), files };
}

/** Reads the saved action after an upload. */
function readRemembered(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("kinora-uploads", 1);
    opening.addEventListener("error", () => reject(new Error("no database")));
    opening.addEventListener("success", () => {
      const reading = opening.result.transaction("uploads").objectStore("uploads").getAll();
      reading.addEventListener("success", () => {
        opening.result.close();
        resolve(
          (reading.result as { form: { outcome: string } }[]).map(({ form }) => form.outcome),
        );
      });
    });
  });
}

it("continues by itself after a reload in the middle, shows a failure, and closes when done", async () => {
  await cancel();
  const clip = join(dir, "reloaded.mp4");
  await makeClip(clip);
  await padClip(clip, 60 * megabyte);
  const { size } = await stat(clip);
  const { page } = await openAdmin(app, { expectProblems: provoked });
  // Leaving during an upload asks for confirmation, which the test accepts.
  page.on("dialog", (dialog) => void dialog.accept());
  const offsets: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
  });
  await page.goto("/admin/videos");
  const line = await page.context().newCDPSession(page);
  await line.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 10 * megabyte,
  });
  await page.getByRole("button", { name: "Upload Video" }).first().click();
  await choose(page, clip);
  await dialogOf(page).getByRole("button", { name: "Continue" }).click();
  await dialogOf(page).getByLabel("Title").fill("Reloaded in the middle");
  await submitOf(page).click();
  await dialogOf(page)
    .getByText(/^(3|4)\d%$/)
    .waitFor();
  const before = offsets.length;
  await page.route("**/api/videos", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 422, body: '{"message":"The video is odd."}' })
      : route.continue(),
  );
  await page.reload();
  await page.getByRole("button", { name: /Reloaded in the middle/ }).click();
  await dialogOf(page).getByText("Upload failed: The video is odd.").waitFor();
  await page.unrouteAll();
  await submitOf(page).click();
  await page.getByText("Video uploaded successfully").waitFor();
  await dialogOf(page).waitFor({ state: "hidden" });
  expect(offsets[before]).toBeGreaterThan(size / 5);
  const [video] = await readVideos();
  expect(video).toMatchObject({ title: "Reloaded in the middle", source_bytes: size });
  const stored = app.context.storage.withLocalFile(video?.source_key ?? "", sha256Of);
  expect(await stored).toBe(await sha256Of(clip));
});

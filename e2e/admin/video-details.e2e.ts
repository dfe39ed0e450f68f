import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import { newId } from "#server/lib/ids.ts";
import { makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { makeClip, useAdmin } from "../support/admin-support.ts";
import { openVisitor, screens, provoked } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";
import { overflowPx } from "../support/page-width.ts";
import { makeFolder } from "#test/shared.ts";

let page: Page;
const dir = makeFolder("details");
let clip: string;
let offsetMs = 0;
const clock = { now: () => Date.now() + offsetMs, date: () => new Date(Date.now() + offsetMs) };

const app = usePages({ work: true, clock });
beforeAll(async () => {
  clip = join(dir, "harbour.mp4");
  await makeClip(clip);
});
const admin = useAdmin(app, { path: "/admin/videos", expectProblems: provoked });
beforeAll(() => {
  page = admin.page;
});

const findRow = async (title: string) =>
  app.db.selectFrom("videos").selectAll().where("title", "=", title).executeTakeFirst();

it("publishes an uploaded video at the time chosen in the form", async () => {
  await page.getByRole("button", { name: "Upload Video" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Upload Video" });
  const second = join(dir, "second.mp4");
  await makeClip(second);
  await dialog.locator("input[type=file]").first().setInputFiles([clip, second]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByLabel("After uploading").selectOption("schedule");
  // Tomorrow, in the format of the field.
  const at = await page.evaluate(() => {
    const time = new Date(Date.now() + 24 * 3_600_000);
    time.setSeconds(0, 0);
    const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
    return { text: local.toISOString().slice(0, 16), ms: time.getTime() };
  });
  await dialog.getByLabel("Publish at").fill(at.text);
  await dialog.getByRole("button", { name: "Upload all" }).click();
  await expect.poll(async () => (await findRow("harbour"))?.publish_at?.getTime()).toBe(at.ms);
  await expect.poll(async () => (await findRow("harbour"))?.progress).toBe(1);
  await expect.poll(async () => (await findRow("second"))?.publish_at?.getTime()).toBe(at.ms);
  const read = () => fetch(`${app.url}/api/videos/harbour`).then(({ status }) => status);
  expect(await read()).toBe(404);

  await app.runJob("library.publish-scheduled");
  expect(await read()).toBe(404);
  offsetMs = at.ms - Date.now() + 1000;
  await app.runJob("library.publish-scheduled");
  await expect.poll(read).toBe(200);
  expect((await findRow("harbour"))?.published_at?.getTime()).toBe(at.ms);
});

it("lists the files with their sizes, downloads the original and reprocesses the video", async () => {
  const { id = "", hls_key: before } = (await findRow("harbour")) ?? {};
  await page.goto(`/admin/videos/${id}`);
  const files = page.getByRole("region", { name: "Files" });
  const bytes = await readFile(clip);
  await files.getByText("Original", { exact: true }).waitFor();
  // Both uploads had the same bytes.
  await files.getByText("Same file as").getByRole("link", { name: "second" }).waitFor();
  await files.getByText("Progressive MP4").waitFor();
  await files
    .getByText(/^Rendition \d+p$/)
    .first()
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    files.getByRole("link", { name: "Download original" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("harbour.mp4");
  expect((await readFile(await download.path())).equals(bytes)).toBe(true);

  await files.getByRole("button", { name: "Reprocess" }).focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Reprocess" }).click();
  await page.getByText("Reprocessing started").waitFor();
  await expect
    .poll(async () => {
      const row = await findRow("harbour");
      return row?.progress === 1 && row.hls_key !== null && row.hls_key !== before;
    })
    .toBe(true);
  expect((await fetch(`${app.url}/api/videos/harbour`)).status).toBe(200);

  await page.setViewportSize(screens.phone);
  await expect.poll(() => overflowPx(page)).toBe(0);
  await page.setViewportSize(screens.laptop);
});

it("lists the chapters in the description", async () => {
  const { id = "" } = (await findRow("harbour")) ?? {};
  await page.goto(`/admin/videos/${id}`);
  const chapters = page.getByRole("region", { name: "Chapters" });
  await chapters.getByText("This video has no chapters.").waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Description").fill("0:00 Start\n0:01 הנמל <b>");
  await dialog.getByRole("button", { name: "Update Video" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(() => chapters.getByRole("listitem").allInnerTexts())
    .toEqual([expect.stringContaining("Start"), expect.stringContaining("הנמל <b>")]);
  const link = chapters.getByRole("link", { name: "הנמל <b>" });
  expect(await link.getAttribute("href")).toBe("/video/harbour?t=1");
});

it("shows what led to its plays, and how far viewers watch", async () => {
  const { id = "" } = (await findRow("harbour")) ?? {};
  const visitor = await openVisitor(app.url);
  await visitor.page.goto("/home?search=harbour");
  const [sent] = await Promise.all([
    visitor.page.waitForRequest(`**/api/videos/${id}/watch`),
    visitor.page
      .getByRole("main")
      .getByRole("link", { name: /harbour/ })
      .first()
      .click(),
  ]);
  expect(sent.postDataJSON()).toMatchObject({ watchTime: 0, origin: "search" });
  await visitor.close();

  const play = (origin: PlayOrigin, watch_time_s: number) => ({
    visitor_id: newId(),
    video_id: id,
    counted_at: new Date(),
    engaged: true,
    origin,
    watch_time_s,
  });
  await app.db
    .insertInto("watches")
    .values([play("search", 2), play("search", 2), play("related", 2), play("embed", 1)])
    .execute();
  await page.goto(`/admin/videos/${id}`);
  const shares = async (name: string) => {
    const items = await page.getByRole("region", { name }).getByRole("listitem").allInnerTexts();
    return items.map((text) => text.replaceAll(/\s+/g, " "));
  };
  await expect
    .poll(() => shares("Where plays come from"))
    .toEqual(["Search 50%", "Embedded player 25%", "Other videos 25%"]);
  await expect.poll(async () => (await shares("How far viewers watch"))[0]).toBe("0% 100%");
});

it("replaces the file of a video: its address and counts stay", async () => {
  const before = await findRow("harbour");
  const { id = "" } = before ?? {};
  await changeVideo(app.db, id, { views: 41, likes: 5 });
  await page.goto(`/admin/videos/${id}`);
  const files = page.getByRole("region", { name: "Files" });
  await files.getByRole("button", { name: "Replace file" }).waitFor();
  const chooser = files.locator("input[type=file]");
  const text = join(dir, "notes.txt");
  await writeFile(text, "no video");
  await chooser.setInputFiles(text);
  await page.getByText("notes.txt is not a video").waitFor();

  const longer = join(dir, "longer.mp4");
  await makeClip(longer, 4);
  await chooser.setInputFiles(longer);
  const question = page.getByRole("alertdialog");
  await question.getByText(/Replace this video's file with longer.mp4/).waitFor();
  await question.getByRole("button", { name: "Replace file" }).click();
  await page.getByText("Processing the new file", { exact: true }).waitFor();
  await expect
    .poll(async () => (await findRow("harbour"))?.source_key !== before?.source_key)
    .toBe(true);
  const after = await findRow("harbour");
  expect(after).toMatchObject({ slug: before?.slug, views: 41, likes: 5, status: "ready" });
  expect(after?.duration_s).toBeGreaterThan(3);
  await page.getByText("replaced the file of the video").waitFor();
  await files.getByRole("button", { name: "Replace file" }).waitFor();
  const shown = await fetch(`${app.url}/api/videos/harbour`).then((response) => response.json());
  expect((await fetch(app.url + shown.videoUrl)).status).toBe(200);
});

it("hides a video from lists, and shows a private one to holders of its link", async () => {
  const { id = "" } = (await findRow("harbour")) ?? {};
  await page.goto(`/admin/videos/${id}`);
  const dialog = page.getByRole("dialog", { name: "Visibility" });
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "Visibility" }).click();
    await dialog.getByRole("radio", { name }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const badge = page.getByRole("region", { name: "Facts" }).getByText(/^(Unlisted|Private)$/);
    await expect.poll(() => badge.allTextContents()).toEqual(name === "Public" ? [] : [name]);
  };
  await choose("Unlisted");
  const readPage = async () => {
    const response = await fetch(`${app.url}/video/harbour`);
    return { status: response.status, text: await response.text() };
  };
  await expect.poll(async () => (await readPage()).text).toContain('content="noindex"');
  expect((await readPage()).status).toBe(200);
  const list = await fetch(`${app.url}/api/videos`).then((response) => response.json());
  expect(JSON.stringify(list)).not.toContain('"slug":"harbour"');

  await choose("Private");
  await expect.poll(async () => (await readPage()).status).toBe(404);
  const section = page.getByRole("region", { name: "Private link" });
  await section.getByRole("button", { name: "Create link" }).click();
  await expect
    .poll(() => section.getByLabel("Link", { exact: true }).inputValue())
    .toContain("/private/");
  const address = await section.getByLabel("Link", { exact: true }).inputValue();
  await section.getByText(/^Until /).waitFor();

  const visitor = await openVisitor(app.url, { viewport: screens.phone });
  const response = await visitor.page.goto(address);
  expect(response?.headers()["cache-control"]).toContain("no-store");
  expect(response?.headers()["x-robots-tag"]).toMatch(/^noindex\b/);
  await visitor.page.getByRole("heading", { name: "harbour", level: 1 }).waitFor();
  await visitor.page.getByRole("button", { name: "Play" }).first().click();
  await expect
    .poll(() =>
      visitor.page.locator("video").evaluate(({ readyState }: HTMLVideoElement) => readyState),
    )
    .toBeGreaterThan(1);
  await expect.poll(() => overflowPx(visitor.page)).toBe(0);
  await visitor.close();

  // The link expires while the page is open, and the page updates automatically.
  await app.db
    .updateTable("videos")
    .set({ link_expires_at: new Date(Date.now() + 4000) })
    .where("id", "=", id)
    .execute();
  await page.reload();
  await section.getByText(/^Expired on /).waitFor();
  await section.getByText(/The link has expired/).waitFor();
  expect((await fetch(address)).status).toBe(404);
  await section.getByRole("button", { name: "Create new link" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Create new link" }).click();
  await expect
    .poll(() => section.getByLabel("Link", { exact: true }).inputValue())
    .not.toBe(address);
  const renewed = await section.getByLabel("Link", { exact: true }).inputValue();
  await section.getByText(/^Until /).waitFor();
  expect((await fetch(renewed)).status).toBe(200);

  await section.getByRole("button", { name: "Disable link" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Disable link" }).click();
  await section.getByText("No private link.").waitFor();
  expect((await fetch(renewed)).status).toBe(404);
  await choose("Public");
  await expect.poll(async () => (await readPage()).status).toBe(200);
});

it("changes the address of a video, and redirects the old one", async () => {
  await makeVideo(app.db, { slug: "taken", title: "Other", thumbnail_key: null });
  const { id = "" } = (await findRow("harbour")) ?? {};
  await page.goto(`/admin/videos/${id}`);
  await page.getByRole("button", { name: "Change address" }).click();
  const dialog = page.getByRole("dialog", { name: "Change address" });
  const field = dialog.getByLabel("Address after /video/");
  await field.fill("taken");
  await field.press("Enter");
  const problem = (hasText: string | RegExp) => dialog.getByRole("alert").filter({ hasText });
  await problem('Another video already uses the address "taken".').waitFor();
  await field.fill("Not a slug!");
  await field.press("Enter");
  await problem(/can only contain lowercase letters/).waitFor();
  await field.fill("harbour-at-night");
  await field.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByText("/video/harbour-at-night").waitFor();

  const old = await fetch(`${app.url}/video/harbour?t=1`, { redirect: "manual" });
  expect(old.status).toBe(301);
  expect(old.headers.get("location")).toBe("/video/harbour-at-night?t=1");
  const visitor = await openVisitor(app.url);
  await visitor.page.goto("/video/harbour");
  await visitor.page.waitForURL("**/video/harbour-at-night");
  await visitor.page.getByRole("heading", { name: "harbour", level: 1 }).waitFor();
  await visitor.close();
  expect((await fetch(`${app.url}/api/videos/harbour`)).status).toBe(200);
});

it("deletes originals once all renditions are made, if the settings require it", async () => {
  const { id = "", source_bytes: sizeBytes } = (await findRow("harbour")) ?? {};
  await page.goto("/admin/settings");
  await page.getByRole("heading", { name: "Originals" }).waitFor();
  const keeps = page.getByRole("switch", { name: "Keep original files" });
  await expect.poll(() => keeps.isChecked()).toBe(true);
  await keeps.click();
  await page.getByRole("button", { name: "Save Originals and renditions" }).click();
  await page.getByText("Settings saved successfully!").waitFor();

  await page.goto(`/admin/videos/${id}`);
  const files = page.getByRole("region", { name: "Files" });
  await files.getByText("Original", { exact: true }).waitFor();
  await files.getByRole("button", { name: "Reprocess" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Reprocess" }).click();
  await expect.poll(async () => (await findRow("harbour"))?.dropped_bytes).toBe(sizeBytes);
  await page.goto(`/admin/videos/${id}`);
  await files
    .getByText(/^The original no longer exists, so this video can't be reprocessed/)
    .waitFor();
  await files.getByText("Progressive MP4").waitFor();
  await expect.poll(() => files.getByText("Original", { exact: true }).count()).toBe(0);
  await expect.poll(() => files.getByRole("link", { name: "Download original" }).count()).toBe(0);
  const headers = { cookie: await app.signIn() };
  const read = (path: string) => fetch(app.url + path, { headers });
  const { videoUrl } = await (await read(`/api/videos/${id}`)).json();
  expect((await read(videoUrl)).status).toBe(200);
});

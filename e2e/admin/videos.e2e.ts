import type { Page } from "playwright-core";
import { beforeAll, beforeEach, it } from "vitest";
import { makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { useAdmin } from "../support/admin-support.ts";
import { usePages } from "../support/shared-site.ts";

let page: Page;

const app = usePages({ work: true });
const admin = useAdmin(app);
beforeAll(() => {
  page = admin.page;
});
beforeEach(async () => {
  await app.db.deleteFrom("videos").execute();
});

const make = (values: Parameters<typeof makeVideo>[1], labels?: Parameters<typeof makeVideo>[2]) =>
  makeVideo(app.db, { thumbnail_key: null, ...values }, labels);
const rowOf = (title: string) => page.getByRole("row").filter({ hasText: title });
it("deletes a video and restores it from the trash", async () => {
  await make({ title: "Doomed" });
  await page.goto("/admin/videos");
  await rowOf("Doomed").getByRole("button", { name: "Delete Doomed" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No videos found.").waitFor();
  await page.getByRole("link", { name: "Trash" }).click();
  await page.getByRole("button", { name: "Restore Doomed" }).press("Enter");
  await page.getByText('Restored "Doomed"').waitFor();
  await page.getByText("The trash is empty.").waitFor();
  await page.getByRole("link", { name: "Videos", exact: true }).click();
  await rowOf("Doomed").waitFor();
});

it("opens the page of each video with its details and history", async () => {
  const tag = await makeTag(app.db, { name: "harbour" });
  const { id } = await make({ title: "All of it", views: 7 }, { tagIds: [tag.id] });
  await page.goto("/admin/videos");
  await page.getByRole("link", { name: "All of it" }).click();
  await page.waitForURL(`**/admin/videos/${id}`);
  await page
    .getByRole("region", { name: "Facts" })
    .getByRole("link", { name: "harbour" })
    .waitFor();
  await page.getByRole("button", { name: "Unpublish" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Unpublish" }).click();
  await page.getByText("Draft", { exact: true }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "unpublished the video" }).waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Video" });
  await dialog.getByLabel("Title").fill("All of it, and more");
  await dialog.getByRole("button", { name: "Update Video" }).click();
  await page.getByRole("heading", { name: "All of it, and more" }).waitFor();
});

it("adds a category to all matching videos, on every page", async () => {
  for (let n = 0; n < 25; n += 1) await make({ title: `Bulk ${n}`, is_published: n % 5 === 0 });
  await page.goto("/admin/videos?state=draft");
  await page.getByText("Total: 20 videos").waitFor();
  await page.getByLabel("Select all on this page").check();
  await page.getByRole("button", { name: "Select all 20 that match" }).click();
  await page.getByText("All 20 videos selected").waitFor();
  await page.getByRole("button", { name: "More bulk actions" }).click();
  await page.getByRole("menuitem", { name: "Add categories" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add categories to 20 videos" });
  await dialog.getByLabel("Categories").fill("Gathered");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Done: 20 videos changed.").waitFor();
  await page.goto("/admin/videos?category=gathered");
  await page.getByText("Total: 20 videos").waitFor();
});

import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin } from "../support/admin-support.ts";
import { shareSite } from "../support/shared-site.ts";

const site = shareSite();

const rowOf = (page: Page, title: string) => page.getByRole("row").filter({ hasText: title });

it("asks for confirmation, sends only isPublished, and updates the badge", async () => {
  await makeVideo(site.app.db, {
    title: "Curtain",
    is_published: false,
    thumbnail_key: null,
  });
  const { page } = await openAdmin(site.app, { path: "/admin/videos" });
  const bodies: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") bodies.push(request.postDataJSON());
  });
  await rowOf(page, "Curtain").getByRole("button", { name: "Draft", exact: true }).click();
  const question = page.getByRole("alertdialog");
  await question
    .getByText('Are you sure you want to publish "Curtain"?', { exact: true })
    .waitFor();
  await question.getByRole("button", { name: "Publish" }).click();
  await rowOf(page, "Curtain").getByText("Published", { exact: true }).waitFor();
  await rowOf(page, "Curtain").getByRole("button", { name: "Unpublish Curtain" }).click();
  await question
    .getByText('Are you sure you want to unpublish "Curtain"?', { exact: true })
    .waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(bodies).toEqual([{ isPublished: true }]);
});

it("shows the current data, requires a title, splits names and saves", async () => {
  const video = await makeVideo(site.app.db, {
    title: "Draft title",
    thumbnail_key: null,
    slug: "draft-title",
    duration_s: 61,
    views: 5,
    likes: 2,
  });
  const { page } = await openAdmin(site.app, { path: "/admin/videos" });
  await rowOf(page, "Draft title").getByRole("button", { name: "Edit Draft title" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Video" });
  await dialog.getByText("Update video information and metadata").waitFor();
  for (const text of [
    "draft-title",
    "Duration1:01",
    "Views5",
    "Likes2",
    "Separate multiple categories with commas",
    "Separate multiple tags with commas",
    "Separate multiple actors with commas",
    "Make video visible to users",
    "Mark as premium content",
  ]) {
    await dialog.getByText(text).first().waitFor();
  }
  await expect.poll(() => dialog.getByLabel("Description").getAttribute("rows")).toBe("4");
  await dialog.getByLabel("Title").fill("  ");
  await expect
    .poll(() => dialog.getByRole("button", { name: "Update Video" }).isDisabled())
    .toBe(true);
  await dialog.getByLabel("Title").fill("Final title");
  await dialog.getByLabel("Description").fill("Words about it");
  await dialog.getByLabel("Categories").fill(" Night ,, Rain, ");
  await dialog.getByLabel("Tags").fill("one");
  await dialog.getByLabel("Actors").fill("Ada");
  await dialog.getByLabel("Premium").check();
  const arrived = Promise.withResolvers<Route>();
  await page.route("**/api/videos/*", (route) =>
    route.request().method() === "PUT" ? arrived.resolve(route) : route.continue(),
  );
  await dialog.getByRole("button", { name: "Update Video" }).click();
  const busy = dialog.getByRole("button", { name: "Updating..." });
  await busy.waitFor();
  await expect.poll(() => busy.isDisabled()).toBe(true);
  await expect.poll(() => dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
  const update = await arrived.promise;
  await update.continue();
  expect(update.request().postDataJSON()).toEqual({
    title: "Final title",
    description: "Words about it",
    isPublished: true,
    isPremium: true,
    embedding: "site",
    categories: ["Night", "Rain"],
    tags: ["one"],
    actors: ["Ada"],
    version: video.version,
  });
  await page.getByText("Video updated successfully", { exact: true }).waitFor();
  await dialog.waitFor({ state: "hidden" });
  await rowOf(page, "Final title").getByText("Night, Rain", { exact: true }).waitFor();
});

import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#test/app.ts";
import { makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin, provoked, type Admin } from "../support/admin-support.ts";
import { closeVisitors, expectNoProblems } from "../support/browser.ts";

let app: TestApp;
let admin: Admin;
let page: Page;

beforeAll(async () => {
  app = await startTestApp({ pages: true, work: true });
  admin = await openAdmin(app, { expectProblems: provoked });
  page = admin.page;
});
afterAll(async () => {
  expectNoProblems(admin);
  await closeVisitors();
  await app.stop();
});
beforeEach(async () => {
  await page.unrouteAll();
  await app.database.db.deleteFrom("videos").execute();
});

const make = (values: Parameters<typeof makeVideo>[1], labels?: Parameters<typeof makeVideo>[2]) =>
  makeVideo(app.database.db, { thumbnail_key: null, ...values }, labels);
const rowOf = (title: string) => page.getByRole("row").filter({ hasText: title });
const refuse = (
  path: string,
  method: string,
  response: { status?: number; body?: string } | "offline",
) =>
  page.route(path, (route) => {
    if (route.request().method() !== method) return route.continue();
    return response === "offline"
      ? route.abort("internetdisconnected")
      : route.fulfill({ status: 500, body: "", ...response });
  });
const said = (message: string) => ({
  status: 422,
  body: JSON.stringify({ message, code: "unusable_video", requestId: "x" }),
});

describe("the list", () => {
  it("shows title, duration, numbers, badges, categories and date of each video", async () => {
    const { db } = app.database;
    const labels = [
      await makeCategory(db, { name: "Alpha" }),
      await makeCategory(db, { name: "Beta" }),
      await makeCategory(db, { name: "Gamma" }),
    ];
    const createdAt = new Date();
    await make(
      {
        title: "Long evening",
        duration_s: 125,
        views: 12345,
        likes: 678,
        is_premium: true,
        created_at: createdAt,
      },
      { categoryIds: labels.map((label) => label.id) },
    );
    await make({ title: "Not shown yet", is_published: false });
    await page.goto("/admin/videos");
    await page.getByText("Total: 2 videos").waitFor();
    const row = rowOf("Long evening");
    for (const text of [
      "2:05",
      "12,345 views",
      "678 likes",
      "Published",
      "Premium",
      "Alpha, Beta +1",
    ]) {
      await row.getByText(text, { exact: true }).waitFor();
    }
    const date = await page.evaluate(
      (iso) => new Date(iso).toLocaleDateString(),
      createdAt.toISOString(),
    );
    await row.getByText(date, { exact: true }).waitFor();
    await rowOf("Not shown yet").getByText("Draft", { exact: true }).waitFor();
    for (const name of ["Video", "Stats", "Status", "Categories", "Created", "Actions"]) {
      await page.getByRole("columnheader", { name, exact: true }).waitFor();
    }
  });

  it("shows Ready for a video that plays while its larger versions are made", async () => {
    await make({ title: "Playing", status: "ready", progress: 0.4 });
    await page.goto("/admin/videos");
    await rowOf("Playing").getByText("Ready", { exact: true }).waitFor();
    await rowOf("Playing").getByText("larger versions 40%").waitFor();
  });

  it("filters by visibility", async () => {
    await make({ title: "Known to few", visibility: "unlisted" });
    await make({ title: "Known to all" });
    await page.goto("/admin/videos");
    await page.getByLabel("Visibility", { exact: true }).selectOption("Unlisted");
    await page.waitForURL("**/admin/videos?visibility=unlisted");
    await page.getByText("Total: 1 video").waitFor();
    await rowOf("Known to few").getByText("Unlisted", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("Total: 2 videos").waitFor();
  });

  it("requests 10 at a time, pages through them and returns to page 1 on a search", async () => {
    for (let n = 1; n <= 23; n += 1) await make({ title: `Paged ${n}` });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url().replace(app.url, "")));
    await page.goto("/admin/videos");
    await page.getByText("Showing 1 to 10 of 23 videos").waitFor();
    expect(asked).toContain("/api/videos?limit=10&offset=0");
    await page.getByRole("button", { name: "Page 3" }).click();
    await page.getByText("Showing 21 to 23 of 23 videos").waitFor();
    expect(asked).toContain("/api/videos?limit=10&offset=20");
    await expect.poll(() => page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    await page.getByLabel("Rows per page").selectOption("50 rows");
    await expect.poll(() => page.getByRole("row").count()).toBe(24);
    await page.getByLabel("Rows per page").selectOption("10 rows");
    await page.getByPlaceholder("Search videos...").fill("Paged 17");
    await rowOf("Paged 17").waitFor();
    await page.waitForURL(
      (url) => url.searchParams.get("search") === "Paged 17" && !url.searchParams.has("page"),
    );
    await expect.poll(() => asked).toContain("/api/videos?search=Paged+17&limit=10&offset=0");
  });

  it("offers five pages around the current one, and none if one page is enough", async () => {
    for (let n = 1; n <= 75; n += 1) await make({ title: `Leaf ${n}` });
    const pages = page.getByRole("navigation", { name: "Pages" });
    const numbers = async () => {
      const texts = await pages.getByRole("button").allInnerTexts();
      return texts.filter((text) => /^\d+$/.test(text)).map(Number);
    };
    await page.goto("/admin/videos?page=5");
    await pages.getByText("Showing 41 to 50 of 75 videos").waitFor();
    await expect.poll(() => numbers()).toEqual([3, 4, 5, 6, 7]);
    await page.goto("/admin/videos?page=8");
    await pages.getByText("Showing 71 to 75 of 75 videos").waitFor();
    await expect.poll(() => numbers()).toEqual([4, 5, 6, 7, 8]);
    await pages.getByRole("button", { name: "Previous" }).click();
    await pages.getByText("Showing 61 to 70 of 75 videos").waitFor();
    await page.goto("/admin/videos");
    await pages.getByText("Showing 1 to 10 of 75 videos").waitFor();
    await expect.poll(() => numbers()).toEqual([1, 2, 3, 4, 5]);
    await expect
      .poll(() => pages.getByRole("button", { name: "Previous" }).isDisabled())
      .toBe(true);
    await page.getByPlaceholder("Search videos...").fill("Leaf 33");
    await page.getByText("Total: 1 video").waitFor();
    await pages.waitFor({ state: "hidden" });
  });

  it("shows No videos found., and what to do about it", async () => {
    await page.goto("/admin/videos");
    await page.getByText("No videos found.").waitFor();
    await page.getByText("Upload your first video!").waitFor();
    await page.getByPlaceholder("Search videos...").fill("zzz");
    await page.getByText("Try adjusting your search.").waitFor();
  });

  it("shows an empty list with total 0 after a failure", async () => {
    await make({ title: "There all the same" });
    await page.route("**/api/videos?**", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto("/admin/videos");
    await page.getByText("No videos found.").waitFor();
    await page.getByText("Total: 0 videos").waitFor();
  });

  it("keeps filters and order in the address", async () => {
    await make({ title: "Popular", views: 900, is_premium: true });
    await make({ title: "Quiet", views: 3 });
    await make({ title: "Sketch", is_published: false, views: 50 });
    await page.goto("/admin/videos");
    await page.getByLabel("Status").selectOption("published");
    await rowOf("Sketch").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Stats" }).click();
    await page.waitForURL("**/admin/videos?state=published&sort=views");
    await page.reload();
    await rowOf("Popular").waitFor();
    await expect.poll(() => page.getByRole("row").nth(1).textContent()).toContain("Popular");
    await page.getByRole("button", { name: "Stats" }).click();
    await page.getByRole("row").nth(1).filter({ hasText: "Quiet" }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await rowOf("Sketch").waitFor();
  });
});

describe("publishing and deleting", () => {
  it("explains a failed publication, and leaves the video unchanged", async () => {
    await make({ title: "Reluctant", is_published: false });
    await page.goto("/admin/videos");
    for (const [response, text] of [
      [said("Not now."), "Failed to update video: Not now."],
      [{}, "Failed to update video: Unknown error"],
      ["offline", "Failed to update video: Network error"],
    ] as const) {
      await refuse("**/api/videos/*", "PUT", response);
      await rowOf("Reluctant").getByRole("button", { name: "Publish Reluctant" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
      await page.getByText(text, { exact: true }).waitFor();
      await page.unrouteAll();
    }
    await rowOf("Reluctant").getByText("Draft", { exact: true }).waitFor();
  });

  it("deletes after a confirmation, and reports failures", async () => {
    await make({ title: "Doomed" });
    const remove = async () => {
      await rowOf("Doomed").getByRole("button", { name: "Delete Doomed" }).click();
      const question = page.getByRole("alertdialog");
      const text = 'Are you sure you want to delete "Doomed"? This action cannot be undone.';
      await question.getByText(text, { exact: true }).waitFor();
      await question.getByRole("button", { name: "Delete" }).click();
    };
    await page.goto("/admin/videos");
    for (const [response, text] of [
      [said("It is in use."), "Failed to delete video: It is in use."],
      [{}, "Failed to delete video: Unknown error"],
      ["offline", "Failed to delete video: Network error"],
    ] as const) {
      await refuse("**/api/videos/*", "DELETE", response);
      await remove();
      await page.getByText(text, { exact: true }).waitFor();
      await page.unrouteAll();
    }
    await remove();
    await page.getByText("Video deleted successfully", { exact: true }).waitFor();
    await page.getByText("No videos found.").waitFor();
    await page.getByRole("link", { name: "Trash" }).click();
    await page.getByRole("button", { name: "Restore Doomed" }).press("Enter");
    await page.getByText('Restored "Doomed"').waitFor();
    await page.getByText("The trash is empty.").waitFor();
    await page.getByRole("link", { name: "Videos", exact: true }).click();
    await rowOf("Doomed").waitFor();
  });
});

describe("the edit form", () => {
  it("opens the page of each video with its details and history", async () => {
    const tag = await makeTag(app.database.db, { name: "harbour" });
    const { id } = await make({ title: "All of it", views: 7 }, { tagIds: [tag.id] });
    await page.goto("/admin/videos");
    await page.getByRole("button", { name: "More actions for All of it" }).click();
    await page.getByRole("menuitem", { name: "Details" }).click();
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

  it("shows what went wrong and keeps what was typed", async () => {
    await make({ title: "Stubborn" });
    await page.goto("/admin/videos");
    await rowOf("Stubborn").getByRole("button", { name: "Edit Stubborn" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Video" });
    await dialog.getByLabel("Title").fill("Changed in vain");
    for (const [response, text] of [
      [said("Not today."), "Failed to update video: Not today."],
      [{}, "Failed to update video: Unknown error"],
      ["offline", "Failed to update video: Network error"],
    ] as const) {
      await refuse("**/api/videos/*", "PUT", response);
      await dialog.getByRole("button", { name: "Update Video" }).click();
      await page.getByText(text, { exact: true }).waitFor();
      await page.unrouteAll();
    }
    await expect.poll(() => dialog.getByLabel("Title").inputValue()).toBe("Changed in vain");
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("merges the changes of two admins, and asks only about fields that both changed", async () => {
    const video = await make({ title: "Shared work", description: "As it was" });
    const other = await openAdmin(app, { expectProblems: provoked });
    for (const each of [page, other.page]) {
      await each.goto(`/admin/videos?edit=${video.id}`);
      await each.getByRole("dialog", { name: "Edit Video" }).waitFor();
    }
    const mine = page.getByRole("dialog", { name: "Edit Video" });
    const theirs = other.page.getByRole("dialog", { name: "Edit Video" });
    const read = () =>
      app.database.db
        .selectFrom("videos")
        .select(["title", "description", "is_premium"])
        .where("id", "=", video.id)
        .executeTakeFirstOrThrow();
    await theirs.getByLabel("Title").fill("Title of the first");
    await theirs.getByLabel("Premium").check();
    await theirs.getByRole("button", { name: "Update Video" }).click();
    await other.page.getByText("Video updated successfully").waitFor();

    await mine.getByLabel("Title").fill("Title of the second");
    await mine.getByLabel("Description").fill("Words of the second");
    await mine.getByRole("button", { name: "Update Video" }).click();
    const conflict = mine.getByRole("alert", { name: "Edit conflict" });
    await conflict.getByText("Title of the first").waitFor();
    await expect.poll(() => conflict.getByRole("button").count()).toBe(2);
    await expect
      .poll(() => read())
      .toMatchObject({ title: "Title of the first", description: "As it was" });
    await conflict.getByRole("button", { name: "Keep mine: Title" }).click();
    await conflict.waitFor({ state: "hidden" });
    await mine.getByRole("button", { name: "Update Video" }).click();
    await mine.waitFor({ state: "hidden" });
    await expect
      .poll(() => read())
      .toEqual({
        title: "Title of the second",
        description: "Words of the second",
        is_premium: true,
      });
    await other.close();
  });
});

/** Counts the unfinished parts of bulk actions. */
async function countParts(): Promise<number> {
  return (await app.database.db.selectFrom("bulk_job_parts").select("position").execute()).length;
}

describe("bulk actions", () => {
  it("publishes selected videos by keyboard", async () => {
    for (const title of ["First of two", "Second of two"])
      await make({ title, is_published: false });
    await page.goto("/admin/videos");
    for (const title of ["First of two", "Second of two"]) {
      await page.getByLabel(`Select ${title}`).focus();
      await page.keyboard.press("Space");
    }
    const bar = page.getByRole("region", { name: "Bulk actions" });
    await bar.getByText("2 selected").waitFor();
    await bar.getByRole("button", { name: "Publish", exact: true }).press("Enter");
    await page.getByText("Are you sure you want to publish 2 videos?").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).press("Enter");
    await page.getByText("Done: 2 videos changed.").waitFor();
    await rowOf("First of two").getByText("Published", { exact: true }).waitFor();
  });

  it("adds a category to all matching videos, on every page", async () => {
    for (let n = 0; n < 25; n += 1) await make({ title: `Bulk ${n}`, is_published: n % 5 === 0 });
    await page.goto("/admin/videos?state=draft");
    await page.getByText("Total: 20 videos").waitFor();
    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Select all 20 that match" }).click();
    await page.getByText("All 20 videos selected").waitFor();
    await page.getByRole("button", { name: "More bulk actions" }).click();
    await page.getByRole("menuitem", { name: "Add categories" }).click();
    const dialog = page.getByRole("dialog", { name: "Add categories to 20 videos" });
    await dialog.getByLabel("Categories").fill("Gathered");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Done: 20 videos changed.").waitFor();
    await page.goto("/admin/videos?category=gathered");
    await page.getByText("Total: 20 videos").waitFor();
  });

  it("shows the progress, and keeps finished videos when cancelled", async () => {
    const { db } = app.database;
    const made = [];
    for (let n = 0; n < 250; n += 1)
      made.push(await make({ title: `Slow ${n}`, is_published: false }));
    const held = made.map((row) => row.id).toSorted()[150];
    await page.goto("/admin/videos");
    await page.getByText("Total: 250 videos").waitFor();
    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Select all 250 that match" }).click();
    // Another transaction locks a row of the second batch, so that the test can cancel.
    await db.transaction().execute(async (trx) => {
      await trx
        .selectFrom("videos")
        .select("id")
        .where("id", "=", held ?? "")
        .forUpdate()
        .execute();
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
      const running = page.getByRole("list", { name: "Bulk actions in progress" });
      await running.getByText("100 of 250").waitFor();
      await running.getByRole("button", { name: "Cancel" }).click();
      // The batch waits for the lock that this test holds. Cancelling has removed the next one.
      await expect.poll(countParts).toBe(1);
    });
    await page.getByText("Cancelled: 200 videos changed. All others are unchanged.").waitFor();
    const left = await db
      .selectFrom("videos")
      .select("id")
      .where("is_published", "=", false)
      .execute();
    expect(left).toHaveLength(50);
  });
});

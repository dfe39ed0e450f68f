import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { openAdmin, useAdmin } from "../support/admin-support.ts";
import { usePages } from "../support/shared-site.ts";
import { provoked } from "../support/browser.ts";

let page: Page;

const app = usePages({ work: true });
const admin = useAdmin(app, { expectProblems: provoked });
beforeAll(() => {
  page = admin.page;
});
beforeEach(async () => {
  await app.db.deleteFrom("videos").execute();
});

const make = (values: Parameters<typeof makeVideo>[1]) =>
  makeVideo(app.db, { thumbnail_key: null, ...values });
const rowOf = (title: string) => page.getByRole("row").filter({ hasText: title });

describe("scheduling and processing state", () => {
  it("schedules a publication and cancels it", async () => {
    const video = await make({ title: "For tomorrow", is_published: false });
    await page.goto("/admin/videos");
    await page.getByRole("button", { name: "More actions for For tomorrow" }).click();
    await page.getByRole("menuitem", { name: "Schedule publishing" }).click();
    const dialog = page.getByRole("dialog", { name: "Schedule publishing" });
    await dialog.getByLabel("Publish at").fill("2030-05-06T07:08");
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
    const time = "May 6, 2030, 7:08 AM";
    await page.getByText(`Scheduled for ${time}`).waitFor();
    const read = () =>
      app.db
        .selectFrom("videos")
        .select("publish_at")
        .where("id", "=", video.id)
        .executeTakeFirstOrThrow();
    const expected = await page.evaluate(() => new Date("2030-05-06T07:08").getTime());
    await expect.poll(async () => (await read()).publish_at?.getTime()).toBe(expected);
    await rowOf("For tomorrow").getByText(time).waitFor();
    await page.getByRole("button", { name: "More actions for For tomorrow" }).click();
    await page.getByRole("menuitem", { name: "Remove schedule" }).click();
    await rowOf("For tomorrow").getByText(time).waitFor({ state: "hidden" });
    await expect.poll(async () => (await read()).publish_at).toBeNull();
  });

  it("shows in the row and in the form which parts of the source don't play", async () => {
    const notice = "The audio has 6 channels. It plays in stereo.";
    await make({ title: "Surround", media_notices: [notice] });
    await page.goto("/admin/videos");
    await rowOf("Surround").getByText(notice).waitFor();
    await rowOf("Surround").getByRole("button", { name: "Edit Surround" }).click();
    await page.getByRole("dialog", { name: "Edit Video" }).getByText(notice).waitFor();
  });

  it("estimates the remaining time of the larger versions from their progress", async () => {
    const video = await make({ title: "Half done", status: "ready", progress: 0.3 });
    const { page } = await openAdmin(app);
    await page.clock.install();
    await page.goto("/admin/videos");
    const row = page.getByRole("row").filter({ hasText: "Half done" });
    await row.getByText("larger versions 30%").waitFor();
    await page.clock.fastForward(10_000);
    await changeVideo(app.db, video.id, { progress: 0.4 });
    await row.getByText(/larger versions 40% · about \d+ minutes? left$/).waitFor();
    // Without further progress, the estimate disappears.
    await page.clock.fastForward(61_000);
    await row.getByText(/larger versions 40%$/).waitFor();
  });

  it("updates the progress bar without a reload, and explains a failure", async () => {
    const video = await make({ title: "On its way", status: "processing", progress: 0.1 });
    await page.goto("/admin/videos");
    await rowOf("On its way").getByText("Processing · 10%").waitFor();
    // The first check only records the current state. Only later changes are sent.
    let progress = 0.1;
    const step = async () => {
      progress += 0.02;
      await changeVideo(app.db, video.id, { progress });
      return rowOf("On its way").textContent();
    };
    await expect.poll(step, { interval: 1000 }).toMatch(/Processing · (?!10)\d+%/);
    await changeVideo(app.db, video.id, {
      status: "failed",
      failure_reason: "The file holds no picture.",
      progress: null,
    });
    await rowOf("On its way").getByText("The file holds no picture.").waitFor();
    const asked = page.waitForRequest((request) => request.url().endsWith("/retry"));
    await rowOf("On its way").getByRole("button", { name: "Retry" }).click();
    expect((await (await asked).response())?.status()).toBe(200);
  });
});

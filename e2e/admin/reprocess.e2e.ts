import { expect, it } from "vitest";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin, type Admin } from "../support/admin-support.ts";
import { usePages } from "../support/shared-site.ts";

let admin: Admin;

const app = usePages({ work: true, logLevel: "silent" });

it("shows the cost of reprocessing, and queues it", async () => {
  const titles = ["First again", "Second again"];
  for (const title of titles) {
    await makeVideo(app.db, {
      title,
      progress: 1,
      duration_s: 600,
      width: 1920,
      height: 1080,
      // A video without a thumbnail.
      thumbnail_key: null,
    });
  }
  admin = await openAdmin(app, { path: "/admin/videos" });
  const { page } = admin;
  for (const title of titles) await page.getByLabel(`Select ${title}`).check();
  await page.getByRole("button", { name: "More bulk actions" }).click();
  await page.getByRole("menuitem", { name: "Reprocess" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText(/^Reprocess 2 videos\? .* of processor time and up to/).waitFor();
  await question.getByRole("button", { name: "Reprocess" }).click();
  await page.getByText("Queued 2 videos for reprocessing").waitFor();
  const renewals = async () => {
    const rows = await app.db.selectFrom("video_replacements").select("is_renewal").execute();
    return rows.map((row) => row.is_renewal);
  };
  await expect.poll(renewals).toEqual([true, true]);
});

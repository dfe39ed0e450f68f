import { sql } from "kysely";
import { expect, test } from "vitest";
import { openAdmin } from "../support/admin-support.ts";
import { desktop } from "../support/browser.ts";
import { addClip } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { playVideo, position, video } from "../support/video-page.ts";

const site = shareSite((app) => addClip(app, "long", { title: "A long one", slug: "long" }));

const readBins = async () => {
  const { rows } = await sql<{ id: string; plays: number; watched: number[] }>`
    select video_id as id, plays, watched from video_bins`.execute(site.app.db);
  return rows[0];
};

test("counts what a visitor watched, shows it to operators and marks the peak of replays", async () => {
  const { app } = site;
  const { page } = await site.open(desktop);
  await playVideo(page, "long");
  await video(page).evaluate((media: HTMLVideoElement) => {
    media.currentTime = media.duration / 2;
  });
  const from = await position(page);
  await expect.poll(() => position(page)).toBeGreaterThan(from + 2);
  await page.goto("about:blank");
  await expect.poll(async () => (await readBins())?.plays).toBe(1);
  const { id, watched } = (await readBins()) ?? { id: "", watched: [] };
  // The middle was played, and the part before it was skipped.
  expect(Math.max(...watched.slice(50))).toBe(1);
  expect(Math.max(...watched.slice(40, 48))).toBe(0);

  const { page: admin } = await openAdmin(app, { path: `/admin/videos/${id}` });
  await admin.getByText("The curves appear after 20 counted plays. So far there is 1.").waitFor();
  await sql`
    update video_bins set plays = 40,
      watched = (select array_agg(case when n in (40, 41) then 10 else 36 end order by n)
        from generate_series(0, 99) n),
      replayed = (select array_agg(case when n between 60 and 64 then 20 else 0 end order by n)
        from generate_series(0, 99) n)
    where video_id = ${id}`.execute(app.db);
  await admin.reload();
  const chart = admin.getByRole("slider", { name: "Watched parts" });
  await chart.focus();
  await admin.keyboard.press("End");
  await expect.poll(() => chart.getAttribute("aria-valuetext")).toContain("90% watching");
  for (let step = 0; step < 38; step += 1) await admin.keyboard.press("ArrowLeft");
  await expect.poll(() => chart.getAttribute("aria-valuetext")).toContain("50% replayed");

  await app.db.updateTable("settings").set({ replay_peak: true }).execute();
  await app.context.settings.readFresh();
  await app.context.changeEvents.publish(["settings"]);
  const { page: visitor } = await site.open(desktop);
  await playVideo(visitor, "long");
  const peak = visitor.locator(".player-replay-peak");
  await peak.waitFor({ state: "attached" });
  expect(await peak.getAttribute("title")).toBe("Most replayed");
  const left = await peak.evaluate((element: HTMLElement) => Number.parseFloat(element.style.left));
  expect(left).toBeGreaterThan(55);
  expect(left).toBeLessThan(65);
});

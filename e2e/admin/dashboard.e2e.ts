import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { makeVideo } from "#test/factories/make-video.ts";
import { useAdmin } from "../support/admin-support.ts";
import { openVisitor, screens } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();
const admin = useAdmin(app);
it("shows how to fill an empty site only to users who are signed in", async () => {
  await admin.page.goto("/home");
  await admin.page.getByText("npm run demo").waitFor();
  const { page } = await openVisitor(app.url);
  await page.goto("/home");
  await page.getByText("No videos found").waitFor();
  await page.waitForFunction(() => document.readyState === "complete");
  await expect.poll(() => page.getByText("npm run demo").count()).toBe(0);
});

it("keeps large figures inside their tiles and long titles inside their panel on all screens", async () => {
  const figure = 987_654_321_987;
  const title = `A walk to ${"the lighthouse and back ".repeat(6)}`;
  const processing = { status: "processing", progress: 0.1 } as const;
  const { id } = await makeVideo(app.db, { title, views: figure, likes: figure, ...processing });
  const { page } = admin;
  await page.goto("/admin");
  const tiles = page
    .getByRole("main")
    .getByRole("link", { name: /^(Total Videos|Categories|Tags|Actors|Views|Likes) / });
  await expect.poll(() => tiles.count()).toBe(6);
  const queue = page.getByRole("region", { name: "Processing" });
  const meter = queue.getByRole("progressbar", { name: /A walk to/ });
  await meter.waitFor();
  const isClipped = () =>
    tiles.evaluateAll((links) =>
      links.map((link) =>
        [link, ...link.children].some((part) => part.scrollWidth > part.clientWidth),
      ),
    );
  const endOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return (box?.x ?? Number.NaN) + (box?.width ?? Number.NaN);
  };
  for (const viewport of Object.values(screens)) {
    await page.setViewportSize(viewport);
    await expect.poll(isClipped).toEqual(Array.from({ length: 6 }, () => false));
    expect(await endOf(meter)).toBeLessThan(await endOf(queue));
  }
  await page.setViewportSize(screens.laptop);
  await app.db.deleteFrom("videos").where("id", "=", id).execute();
});

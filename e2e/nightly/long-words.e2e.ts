import { expect, test } from "vitest";
import { createClient, type TestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin } from "../support/admin-support.ts";
import { screens } from "../support/browser.ts";
import { overflowPx } from "../support/page-width.ts";
import { shareSite } from "../support/shared-site.ts";

const word = (length: number) => "W".repeat(length);
let campaignId = "";
let videoId = "";

async function fill(app: TestApp): Promise<void> {
  const admin = createClient(app.url, await app.signIn());
  const add = async (path: string, body: object) => {
    const { status, text, json } = await admin.call("POST", path, body);
    expect([path, text, status]).toEqual([path, text, 201]);
    return json;
  };
  ({ id: videoId } = await makeVideo(app.db, { title: word(200), thumbnail_key: null }));
  for (const kind of ["categories", "tags", "actors"]) {
    await add(`/api/${kind}`, { name: word(80), description: word(300) });
  }
  const note = word(200);
  await add("/api/referrals", { name: word(100), code: "w".repeat(40), target: "/home", note });
  const named = { name: word(200), contact: word(300), notes: word(300) };
  const { id: advertiserId } = await add("/api/advertisers", named);
  ({ id: campaignId } = await add("/api/campaigns", { advertiserId, name: word(200) }));
  await add("/api/ads", {
    title: word(200),
    description: word(300),
    type: "popup",
    placement: "footer",
  });
  await add("/api/admin/webhooks", {
    url: `https://example.com/${word(200)}`,
    events: ["video.ready"],
  });
}
const site = shareSite(fill);

const pages = () => [
  ...["videos", "categories", "tags", "actors", "ads", "campaigns", "referrals", "webhooks"],
  ...["campaigns/advertisers", "campaigns/report", `campaigns/${campaignId}`, `videos/${videoId}`],
  ...["storage", "audit"],
];

test("keeps words without spaces inside each page on all screens", async () => {
  const { page } = await openAdmin(site.app, { viewport: screens.phone });
  for (const path of pages()) {
    await page.goto(`/admin/${path}`);
    // The report shows advertisers and campaigns in select lists.
    const isReport = path === "campaigns/report";
    for (const [screen, viewport] of Object.entries(screens)) {
      await page.setViewportSize(viewport);
      const shown = page.getByText(word(40)).filter({ visible: !isReport });
      await shown.first().waitFor({ state: "attached" });
      const read = async () => [path, screen, await overflowPx(page)];
      await expect.poll(read).toEqual([path, screen, 0]);
      if (path !== "ads" || screen !== "laptop") continue;
      // Names of campaigns don't push the other filters to the next line.
      const filters = ["Campaign", "Active"].map((name) => page.getByLabel(name, { exact: true }));
      const boxes = await Promise.all(filters.map((filter) => filter.boundingBox()));
      expect(boxes[0]?.y).toBe(boxes[1]?.y);
    }
  }
});

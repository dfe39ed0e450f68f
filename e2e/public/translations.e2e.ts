import { expect, it } from "vitest";
import { makeCategory } from "#test/factories/make-label.ts";
import { openAdmin } from "../support/admin-support.ts";
import { desktop, screens } from "../support/browser.ts";
import { addClip } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";

let id = "";
const site = shareSite(async (app) => {
  const categoryIds = [(await makeCategory(app.db, { name: "Looms" })).id];
  const clip = { title: "The loom", slug: "loom", description: "It weaves." };
  ({ id } = await addClip(app, "wide-0", clip, { categoryIds }));
  await addClip(app, "wide-1", { title: "A wheel", slug: "wheel" }, { categoryIds });
});

it("shows title and description in Arabic as the operator wrote them, everywhere", async () => {
  const admin = await openAdmin(site.app, { ...desktop, path: `/admin/videos/${id}` });
  const section = admin.page.getByRole("region", { name: "Translations" });
  await section.getByRole("combobox", { name: "Language" }).selectOption("ar");
  await section.getByLabel("Translated title").fill("النول القديم");
  await section.getByLabel("Translated description").fill("إنه ينسج.");
  await section.getByRole("button", { name: "Save translation" }).click();
  await admin.page.getByText("Translation saved").waitFor();

  const { page } = await site.open({ viewport: screens.phone, reducedMotion: "reduce" });
  const card = page.getByRole("link", { name: "النول القديم" }).first();
  await expect
    .poll(async () => {
      await page.goto("/ar/home");
      return card.count();
    })
    .toBe(1);
  await card.click();
  await page.getByRole("heading", { level: 1, name: "النول القديم" }).waitFor();
  await page.getByText("إنه ينسج.").first().waitFor();
  // The browser fetches this video as a related one.
  await page.goto("/ar/video/wheel");
  await page.getByRole("link", { name: "النول القديم" }).first().waitFor();
  await page.goto("/ar/search?search=النول");
  await card.waitFor();
  await page.goto("/video/loom");
  await page.getByRole("heading", { level: 1, name: "The loom" }).waitFor();
});

import { expect, it } from "vitest";
import { openAdmin } from "../support/admin-support.ts";
import { screens } from "../support/browser.ts";
import { addClip } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";

const site = shareSite((app) => addClip(app, "wide-0", { title: "The loom", slug: "loom" }));

it("shows the operator's Arabic text, from the server and after scripts, until it is reset", async () => {
  const { page } = await site.open({ viewport: screens.phone, reducedMotion: "reduce" });
  const admin = await openAdmin(site.app, { path: "/admin/settings" });
  await admin.page.getByRole("link", { name: "Page texts" }).click();
  await admin.page.waitForURL(/settings\/texts/);
  await admin.page.getByRole("searchbox", { name: "Search texts" }).waitFor();
  await admin.page.getByText(/^Showing 1 to 50 of \d{3} texts$/).waitFor();
  await admin.page.getByRole("button", { name: "Page 2" }).click();
  await admin.page.getByText(/^Showing 51 to 100 of/).waitFor();
  expect(await admin.page.getByRole("form").count()).toBe(50);
  await admin.page.getByRole("combobox", { name: "Language" }).selectOption("ar");
  await admin.page.getByRole("searchbox", { name: "Search texts" }).fill("home.heading");
  const editor = admin.page.getByRole("form", { name: "home.heading", exact: true });
  const save = editor.getByRole("button", { name: "Save" });
  expect(await save.count()).toBe(0);
  await editor.getByLabel("Your text").fill("مكتبة {name}");
  await editor.getByText("Remove {name}").waitFor();
  await expect.poll(() => save.isDisabled()).toBe(true);
  await editor.getByLabel("Your text").fill("مكتبة الأنوال");
  await save.click();
  await admin.page.getByText("Text saved").waitFor();

  const heading = page.getByRole("heading", { level: 1 });
  await expect
    .poll(async () => {
      await page.goto("/ar/home");
      return heading.textContent();
    })
    .toBe("مكتبة الأنوال");
  // The browser renders this page after a page with other texts.
  await page.getByRole("link", { name: "The loom" }).first().click();
  await page.waitForURL(/video\/loom/);
  await page.goBack();
  await heading.getByText("مكتبة الأنوال").waitFor();
  await page.goto("/home");
  await expect.poll(() => heading.textContent()).toBe("Videos");

  await editor.getByRole("button", { name: "Reset" }).click();
  await admin.page.getByText("Text reset to the default").waitFor();
  await expect
    .poll(async () => {
      await page.goto("/ar/home");
      return heading.textContent();
    })
    .not.toBe("مكتبة الأنوال");
});

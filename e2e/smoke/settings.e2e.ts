import { expect, it } from "vitest";
import { openAdmin } from "../support/admin-support.ts";
import { shareSite } from "../support/shared-site.ts";
import { provoked } from "../support/browser.ts";

const site = shareSite();

it("asks before leaving unsaved settings, and saves them after a failure", async () => {
  const { page } = await openAdmin(site.app, { path: "/admin/settings", expectProblems: provoked });
  const name = page.getByLabel("Site Name");
  const question = page.getByRole("alertdialog", { name: "Discard your changes?" });
  await name.fill("Half typed");
  for (const leave of [
    () => page.getByRole("link", { name: "Videos", exact: true }).click(),
    () => page.getByRole("button", { name: "Sign Out" }).click(),
  ]) {
    await leave();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
  }
  await expect.poll(() => name.inputValue()).toBe("Half typed");
  // Returning to the tab reloads the settings.
  const reloaded = page.waitForResponse("**/api/settings");
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await reloaded;
  await expect.poll(() => name.inputValue()).toBe("Half typed");
  await page.route("**/api/settings", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 500, body: "" })
      : route.continue(),
  );
  const failure = page.getByText("Failed to save settings", { exact: true });
  await page.getByRole("button", { name: "Save Settings" }).click();
  await failure.waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Save Settings" }).click();
  await page.getByText("Settings saved successfully!").waitFor();
  await expect.poll(() => failure.count()).toBe(0);
  await page.getByRole("link", { name: "Videos", exact: true }).click();
  await page.getByRole("heading", { name: "Manage Videos" }).waitFor();
  await site.app.db.updateTable("settings").set({ site_name: null }).execute();
});

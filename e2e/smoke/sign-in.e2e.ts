import { expect, it } from "vitest";
import { makeUser } from "#test/factories/make-user.ts";
import { openAdmin, signInOn } from "../support/admin-support.ts";
import { shareSite } from "../support/shared-site.ts";

const site = shareSite();

it("shows Loading... first, sends visitors to sign in and brings them back", async () => {
  expect(await (await fetch(`${site.url}/admin/videos`)).text()).toContain("Loading...");
  const { email } = await makeUser(site.app.db, { role: "ADMIN" });
  const { page } = await site.open();
  await page.goto("/admin/videos?state=draft");
  await page.waitForURL("**/auth/signin**");
  await signInOn(page, email);
  await page.waitForURL("**/admin/videos?state=draft");
  await page.getByRole("heading", { name: "Manage Videos" }).waitFor();
});

it("signs out, and stays signed out on Back", async () => {
  const { page } = await openAdmin(site.app);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.waitForURL("**/auth/signin");
  await page.goto("/admin");
  await page.waitForURL("**/auth/signin**");
});

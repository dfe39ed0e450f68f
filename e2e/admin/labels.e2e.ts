import { expect, it } from "vitest";
import { useAdmin } from "../support/admin-support.ts";
import { makeActor } from "#test/factories/make-label.ts";
import { openVisitor, provoked } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();
const admin = useAdmin(app, { expectProblems: provoked });
it("creates, edits and deletes a category", async () => {
  const { page } = admin;
  await page.goto("/admin/categories");
  await page.getByRole("button", { name: "Add Category" }).click();
  const dialog = page.getByRole("dialog", { name: "Add Category" });
  await dialog.locator("input:focus").waitFor();
  await page.keyboard.type("  Slow Waves ");
  expect(await dialog.getByLabel("Name").inputValue()).toBe("  Slow Waves ");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "hidden" });
  const row = page.getByRole("row").filter({ hasText: "Slow Waves" });
  await row.getByText("/slow-waves").waitFor();
  await row.getByRole("button", { name: "Edit Slow Waves" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Category" });
  await expect.poll(() => edit.getByLabel("Name").inputValue()).toBe("Slow Waves");
  await edit.getByLabel("Description").fill("Calm water");
  await edit.getByRole("button", { name: "Update" }).click();
  await row.getByText("Calm water").waitFor();

  await row.getByRole("button", { name: "Delete Slow Waves" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText("Are you sure you want to delete this category?").waitFor();
  await question.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No categories found.").waitFor();
});

it("gives an actor a picture and a description, and removes the picture", async () => {
  const { page } = admin;
  await makeActor(app.db, { name: "Portrayed" });
  await page.goto("/admin/actors");
  const row = page.getByRole("row").filter({ hasText: "Portrayed" });
  await row.getByRole("button", { name: "Edit Portrayed" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Actor" });
  const choose = (buffer: Buffer) =>
    dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "face.png", mimeType: "image/png", buffer });
  await choose(Buffer.from("no picture"));
  await page.getByText(/^Failed to change the image: /).waitFor();
  const face = await page.getByRole("banner").screenshot();
  await choose(face);
  await dialog.getByRole("img", { name: "Portrayed" }).waitFor();
  await dialog.getByLabel("Description").fill("Often seen at night.");
  await dialog.getByRole("button", { name: "Update" }).click();
  await row.getByText("Often seen at night.").waitFor();
  const width = () =>
    row
      .locator("img")
      .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
  await row.getByRole("button", { name: "Edit Portrayed" }).click();
  await dialog.getByRole("button", { name: "Remove image" }).click();
  await dialog.getByRole("img").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => row.locator("img").count()).toBe(0);
});

it("saves the settings for visitors, and shows them in the preview beside their section", async () => {
  const { page } = admin;
  await page.goto("/admin/settings");
  await page.getByLabel("Site Name").fill("  Lantern  ");
  await page.getByLabel("Site Description").fill("Pictures that move.");
  await page.getByLabel("Logo URL").fill(`${app.url}/nothing-here.png`);
  await page.getByText("Invalid URL").waitFor();
  await page.getByRole("button", { name: "Save Settings" }).click();
  await page.getByText("Settings saved successfully!").waitFor();
  expect(await app.context.settings.readFresh()).toMatchObject({
    siteName: "Lantern",
    siteUrl: null,
  });

  const sections = page.getByRole("navigation", { name: "Sections" });
  await sections.getByRole("link", { name: "Legal" }).click();
  const heading = page.getByRole("heading", { name: "Legal" });
  await expect.poll(async () => (await heading.boundingBox())?.y ?? 0).toBeLessThan(900);
  const preview = page.getByRole("heading", { name: "Site preview" });
  expect(await preview.boundingBox()).toMatchObject({ y: expect.closeTo(100, -2) });

  const { page: shown } = await openVisitor(app.url, { expectProblems: provoked });
  await shown.goto("/home");
  await shown.getByText("Pictures that move.").waitFor();
  await expect.poll(() => shown.title()).toContain("Lantern");
});

it("publishes the operator's pages with an address and a link in the footer", async () => {
  const { page } = admin;
  await page.goto("/admin/settings");
  await page.getByLabel("Privacy").fill("# What we keep\n\nAlmost **nothing**.");
  await page.getByRole("button", { name: "Save Pages" }).click();
  await page.getByText("Settings saved successfully!").waitFor();
  const { page: shown } = await openVisitor(app.url, { expectProblems: provoked });
  await shown.goto("/home");
  await shown.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await shown.getByRole("heading", { name: "What we keep" }).waitFor();
  const missing = await shown.goto("/terms");
  expect(missing?.status()).toBe(404);
});

it("creates a link, counts its visitors, and shows them by day", async () => {
  const { page } = admin;
  await page.goto("/admin/referrals");
  await page.getByRole("button", { name: "Add Referral" }).click();
  const dialog = page.getByRole("dialog", { name: "Add Referral" });
  await dialog.getByLabel("Name").fill("Flyer");
  await dialog.getByLabel("Code").fill("flyer");
  await dialog.getByLabel("Target").fill("/home");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("row").filter({ hasText: "?ref=flyer" }).waitFor();

  const visitor = await openVisitor(app.url, { expectProblems: provoked });
  await visitor.page.goto("/home?ref=flyer");
  await expect.poll(async () => (await app.context.referrals.list("flyer"))[0]?.visits).toBe(1);
  await visitor.close();

  await page.reload();
  await page.getByRole("button", { name: "Statistics for Flyer" }).click();
  const stats = page.getByRole("dialog", { name: "Statistics for Flyer" });
  const today = new Date().toISOString().slice(0, 10);
  const row = stats.getByRole("row").filter({ hasText: today });
  await row.waitFor();
  await expect.poll(() => row.getByRole("cell").allInnerTexts()).toEqual(["1", "1", "0"]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    stats.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
});

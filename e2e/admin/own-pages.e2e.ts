import { expect, it } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { useAdmin } from "../support/admin-support.ts";
import { openVisitor, phone, provoked } from "../support/browser.ts";
import { overflowPx } from "../support/page-width.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();
const admin = useAdmin(app, { path: "/admin/pages", expectProblems: provoked });

it("publishes a page with a picture, linked in the footer and translated", async () => {
  const { page } = admin;
  const png = await encodeClip("page.png", [
    ...["-f", "lavfi", "-i", "color=teal:size=320x180", "-frames:v", "1"],
  ]);
  await page.getByRole("button", { name: "Add page" }).click();
  const dialog = page.getByRole("dialog", { name: "Add page" });
  await dialog.getByLabel("Address after /pages/").fill("search");
  await dialog.getByLabel("Title").fill("About us");
  await dialog
    .getByLabel("Text (Markdown)")
    .fill(`## Who we are\n\n\`\`\`\n${"x".repeat(200)}\n\`\`\``);
  await dialog.locator("input[type=file]").setInputFiles(png);
  await expect
    .poll(() => dialog.getByLabel("Text (Markdown)").inputValue())
    .toMatch(/!\[\]\(\/media\/public\/pages\/[\w-]+\.png\)/);
  await dialog.getByRole("button", { name: "Preview" }).click();
  const preview = dialog.getByRole("region", { name: "Preview" });
  await preview.getByRole("heading", { name: "Who we are" }).waitFor();
  await dialog.getByLabel("Language").selectOption("de");
  await dialog.getByLabel("Title").fill("Über uns");
  await dialog.getByLabel("Text (Markdown)").fill("## Wer wir sind");
  await dialog.getByLabel("Published").check();
  await dialog.getByRole("button", { name: "Save page" }).click();
  const refusal = dialog.getByText("“search” is the address of a page of the site, /search.");
  await refusal.first().waitFor();
  await dialog.getByLabel("Address after /pages/").fill("about");
  await dialog.getByRole("button", { name: "Save page" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("/pages/about · In the footer").waitFor();

  const { page: visitor } = await openVisitor(app.url, phone);
  await visitor.goto("/home");
  await visitor.getByRole("contentinfo").getByRole("link", { name: "About us" }).click();
  await visitor.getByRole("heading", { name: "About us" }).waitFor();
  expect(await overflowPx(visitor)).toBe(0);
  const image = visitor.locator(".site-page img");
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(320);
  await visitor.getByRole("link", { name: "Deutsch" }).click();
  await visitor.getByRole("heading", { name: "Über uns" }).waitFor();
  await visitor.getByRole("heading", { name: "Wer wir sind" }).waitFor();
});

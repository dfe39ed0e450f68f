import { expect, it } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { useAdmin } from "../support/admin-support.ts";
import { desktop, openVisitor, phone, provoked, screens } from "../support/browser.ts";
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

it("leaves space for the site's name and the search beside a long title in the menu", async () => {
  const { status } = await fetch(`${app.url}/api/admin/pages`, {
    method: "POST",
    headers: { cookie: await app.signIn(), "content-type": "application/json" },
    body: JSON.stringify({
      address: "long",
      place: "menu",
      isPublished: true,
      isIndexed: true,
      texts: { en: { title: "Everything that you ever wanted to know about us", markdown: "Us" } },
    }),
  });
  expect(status).toBe(201);
  const { page } = await openVisitor(app.url, desktop);
  await page.goto("/home");
  const bar = page.getByRole("banner");
  await bar.getByRole("link", { name: "Everything that you ever wanted" }).waitFor();
  const search = await page.locator("#bar-search").boundingBox();
  expect(search?.width).toBeGreaterThan(180);
  const cutPx = await bar
    .getByText("Kinora", { exact: true })
    .evaluate((name) => name.scrollWidth - name.clientWidth);
  expect(cutPx).toBe(0);
});

it("scrolls a dialog with its title and buttons in short windows", async () => {
  const { page } = admin;
  await page.setViewportSize({ width: 360, height: 225 });
  await page.goto("/admin/pages");
  await page.getByRole("button", { name: "Add page" }).click();
  const dialog = page.getByRole("dialog", { name: "Add page" });
  await expect
    .poll(() => dialog.evaluate((box) => box.scrollHeight - box.clientHeight))
    .toBeGreaterThan(200);
  await page.keyboard.press("Escape");
  await page.setViewportSize(screens.laptop);
});

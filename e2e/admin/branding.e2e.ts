import { readFile } from "node:fs/promises";
import { beforeAll, expect, it } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { makeUser } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { useAdmin } from "../support/admin-support.ts";
import { openVisitor, screens, provoked } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";
import { overflowPx } from "../support/page-width.ts";

let png: string;

const app = usePages();
beforeAll(async () => {
  // Image whose right half is transparent.
  png = await encodeClip("logo.png", [
    ...["-f", "lavfi", "-i", "color=red@1.0:size=600x300,format=rgba"],
    ...["-vf", "geq=r=200:g=20:b=60:a='if(lt(X,300),255,0)'", "-frames:v", "1"],
  ]);
});
const admin = useAdmin(app, { expectProblems: provoked });

it("uploads logo and favicon, and serves them to everyone", async () => {
  const { page } = admin;
  await page.goto("/admin/settings");
  const logo = page.locator('input[type=file][aria-label="Upload logo"]');
  await page.getByText("Upload logo", { exact: true }).waitFor();
  await logo.setInputFiles({
    name: "logo.png",
    mimeType: "image/png",
    buffer: Buffer.from("<svg onload=alert(1)>"),
  });
  await page.getByText(/^Failed to upload the image: The image must be a JPEG, PNG/).waitFor();
  await page.getByLabel("Site Name").fill("Not saved yet");
  await logo.setInputFiles(png);
  await expect
    .poll(() => page.getByLabel("Logo URL").inputValue())
    .toMatch(/^\/media\/public\/site\/logo-[\w-]+\.png$/);
  await page
    .locator('input[type=file][aria-label="Upload favicon"]')
    .setInputFiles({ name: "i.png", mimeType: "image/png", buffer: await readFile(png) });
  await expect
    .poll(() => page.getByLabel("Favicon URL").inputValue())
    .toMatch(/^\/media\/public\/site\/favicon-/);
  await expect.poll(() => page.getByLabel("Site Name").inputValue()).toBe("Not saved yet");
  await page.getByRole("button", { name: "Save Settings" }).click();
  await page.getByText("Settings saved successfully!").waitFor();

  const { page: home } = await openVisitor(app.url);
  await home.goto("/home");
  const image = home.getByRole("navigation").locator("img").first();
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(256);
  expect(await image.boundingBox()).toMatchObject({ width: 56, height: 28 });
  await home.setViewportSize({ width: 320, height: 568 });
  expect(await overflowPx(home)).toBe(0);
  const { faviconUrl } = await app.context.settings.getPublic();
  const icon = home.locator('link[rel="icon"]');
  await expect.poll(() => icon.getAttribute("href")).toBe(faviconUrl);
  const response = await fetch(app.url + (faviconUrl ?? ""));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("cache-control")).toContain("immutable");
  // Color type 6: with transparency.
  expect(Buffer.from(await response.arrayBuffer())[25]).toBe(6);
});

it("refuses an unreadable accent color, and previews a good one before it is saved", async () => {
  const { page } = admin;
  await page.goto("/admin/settings");
  const field = page.getByLabel("Accent color", { exact: true });
  await field.fill("#ffd54a");
  await page.getByText(/^This color has a contrast of only 1\.3:1 with the light theme/).waitFor();
  const save = page.getByRole("button", { name: "Save Settings" });
  await expect.poll(() => save.isDisabled()).toBe(true);
  const refused = await page.request.post(`${app.url}/api/settings`, {
    data: { accentColor: "#ffd54a" },
  });
  expect(refused.status()).toBe(400);

  await field.fill("#c2410c");
  const preview = page.frameLocator('iframe[title="Site preview"]');
  await preview.getByRole("navigation").first().waitFor();
  const accentOf = () =>
    preview
      .locator("html")
      .evaluate((root) => getComputedStyle(root).getPropertyValue("--color-lamp").trim());
  await expect.poll(accentOf).toBe("#c2410c");
  await page.getByLabel("Preview theme").selectOption("light");
  await expect.poll(() => preview.locator("html").getAttribute("data-theme")).toBe("light");
  await save.click();
  await page.getByText("Settings saved successfully!").waitFor();
  await page.goto("/admin/settings");
  await field.waitFor();
  await page.setViewportSize(screens.phone);
  await expect.poll(() => overflowPx(page)).toBe(0);
  await page.setViewportSize(screens.laptop);

  const { page: home } = await openVisitor(app.url);
  await home.goto("/home");
  const lamp = () =>
    home.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue("--color-lamp").trim(),
    );
  await expect.poll(lamp).toBe("#c2410c");
});

it("shows the storage by user and the largest videos", async () => {
  const { page } = admin;
  const user = await makeUser(app.db, { name: "Grace" });
  const mebibyte = 1024 * 1024;
  await makeVideo(app.db, {
    title: "Large",
    uploaded_by: user.id,
    source_bytes: 3 * mebibyte,
    stored_bytes: 2 * mebibyte,
  });
  await page.goto("/admin/storage");
  const users = page.getByRole("table", { name: "By user" });
  const grace = users.getByRole("row").filter({ hasText: "Grace" });
  await grace.getByText("1 video").waitFor();
  await grace.getByText("3.00 MB").waitFor();
  await grace.getByText("5.00 MB").waitFor();
  await page.getByRole("link", { name: "Large" }).waitFor();
  // As on the dashboard, the name is above the figure.
  const name = await page.locator("dl dt").first().boundingBox();
  const figure = await page.locator("dl dd").first().boundingBox();
  expect(name?.y).toBeLessThan(figure?.y ?? 0);
});

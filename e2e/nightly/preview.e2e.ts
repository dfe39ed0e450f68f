import type { FrameLocator, Locator, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { useAdsSite } from "../support/ads-site.ts";
import { openAdmin } from "../support/admin-support.ts";
import { phone, provoked, screens } from "../support/browser.ts";

const site = useAdsSite({ type: "banner", placement: "header" });

let page: Page;
let form: Locator;
let stage: FrameLocator;

async function openForm(options: object): Promise<void> {
  ({ page } = await openAdmin(site.app, {
    ...options,
    path: "/admin/ads",
    expectProblems: provoked,
  }));
  await page.getByRole("button", { name: "Add Advertisement" }).click();
  form = page.getByRole("dialog");
  stage = form.frameLocator("iframe[title^='Preview: ']");
}
beforeEach(() => openForm({ viewport: screens.laptop }));

async function fillForm(type: string, placement: string): Promise<void> {
  await form.getByLabel("Title").fill("Autumn");
  await form.getByLabel("Type").selectOption(type);
  await form.getByLabel("Placement").selectOption(placement);
}

/** Returns the viewport width inside the preview. */
const widthPx = () => stage.locator("body").evaluate(() => innerWidth);
const html = () => stage.frameLocator("iframe[title='HTML preview']");

test("previews an ad with HTML in every place of its type, at three sizes", async () => {
  await fillForm("banner", "header");
  await form.locator("summary", { hasText: "HTML" }).click();
  await form.getByLabel("Content").fill("<p id=p>x</p><script>p.textContent = 'it runs'</script>");
  await stage.locator(".spot[data-slot=header] .spot-close").waitFor();
  await html().getByText("it runs").waitFor();
  const frame = stage.locator("iframe");
  expect(await frame.getAttribute("sandbox")).not.toContain("allow-same-origin");

  const place = form.getByLabel("Preview in");
  const places = await place.locator("option").allTextContents();
  expect(places).toEqual(["Header", "Sidebar", "Footer", "Feed"]);
  for (const [value, slot] of [
    ["sidebar", ".spot[data-slot=sidebar]"],
    ["footer", ".spot[data-slot=footer]"],
    ["feed", ".spot-feed .spot-feed-space"],
    ["header", ".spot[data-slot=header]"],
  ] as const) {
    await place.selectOption(value);
    await stage.locator(slot).waitFor();
    await html().getByText("it runs").waitFor();
  }
  // Sizes can be chosen with the keyboard.
  await form.getByRole("radio", { name: "Desktop" }).focus();
  for (const [key, device, px] of [
    ["ArrowLeft", "Tablet", 820],
    ["ArrowLeft", "Phone", 390],
    ["ArrowLeft", "Desktop", 1440],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => form.getByRole("radio", { name: device }).isChecked()).toBe(true);
    await expect.poll(widthPx).toBe(px);
    await html().getByText("it runs").waitFor();
  }
  // The preview follows the placement of the ad.
  await form.getByLabel("Placement").selectOption("footer");
  await stage.locator(".spot[data-slot=footer]").waitFor();
  await form.getByLabel("Type").selectOption("popup");
  await stage.locator(".spot-popup").waitFor();
  await html().getByText("it runs").waitFor();
});

test("previews an ad break with its controls, and reports a type that is never shown there", async () => {
  await fillForm("banner", "preroll");
  await form.getByText("Pre-roll doesn't show ads of this type.").waitFor();
  await form.getByLabel("Type").selectOption("video");
  await stage.locator(".spot-break").getByText("Skip in 5s").waitFor();
  await stage.locator(".spot-break-title").getByText("Autumn").waitFor();
  await form.getByLabel("Link URL").fill("https://shop.example/");
  await form.getByLabel("Image URL").fill(`${site.server.url}/picture.svg`);
  await stage.locator(".spot-break").getByText("Visit site").waitFor();
  await stage.getByRole("img", { name: "Autumn" }).waitFor();
  await form.getByLabel("VAST/Video URL").fill(`${site.server.url}/tag/any`);
  await stage
    .getByText("This ad uses a VAST tag. Test the tag to see which video it plays.")
    .waitFor();
  await form.getByLabel("VAST/Video URL").fill(`${site.server.url}/video/8.mp4`);
  const video = stage.locator("video");
  const isPaused = () => video.evaluate((element: HTMLVideoElement) => element.paused);
  await expect.poll(isPaused).toBe(true);
  await form.getByRole("button", { name: "Play" }).press("Enter");
  await expect.poll(isPaused).toBe(false);
  await form.getByLabel("Placement").selectOption("feed");
  await stage.locator(".spot-feed .spot-break").waitFor();
});

test("reports a picture that fails to load, and shows the texts without one", async () => {
  await fillForm("banner", "footer");
  await form.locator("summary", { hasText: "Description and size" }).click();
  await form.getByLabel("Description").fill("Warm coats");
  await stage.locator(".spot-card").getByText("Warm coats").waitFor();
  await form.getByLabel("Image URL").fill(`${site.server.url}/picture.svg`);
  await stage.getByRole("img", { name: "Autumn" }).waitFor();
  await page.route("**/gone.png", (route) => route.abort());
  await form.getByLabel("Image URL").fill(`${site.server.url}/gone.png`);
  await form.getByText("The image doesn't load").waitFor();
  await stage.locator(".spot-card").getByText("Autumn").waitFor();
});

test("fits every size on a phone", async () => {
  await openForm({ ...phone });
  await fillForm("banner", "sidebar");
  for (const device of ["Desktop", "Tablet", "Phone"]) {
    await form.getByRole("group", { name: "Preview on" }).getByText(device).click();
    await stage.locator(".spot[data-slot=sidebar]").waitFor();
    const overflow = () =>
      form.evaluate((dialog) => {
        const frame = dialog.querySelector("iframe[title^='Preview: ']");
        const box = frame?.getBoundingClientRect();
        return box === undefined || box.right > innerWidth || dialog.scrollWidth > innerWidth;
      });
    await expect.poll(overflow).toBe(false);
  }
});

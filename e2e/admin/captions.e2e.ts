import { expect, test } from "vitest";
import { openAdmin } from "../support/admin-support.ts";
import { addClip } from "../support/player-clips.ts";
import { usePages } from "../support/shared-site.ts";
import { provoked } from "../support/browser.ts";

const app = usePages();

const ass =
  "[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Text\n" +
  "Dialogue: 0,0:00:00.00,0:00:01.00,Default,First line\n" +
  "Dialogue: 0,0:00:02.00,0:00:03.00,Default,Second line\n";

test("adds captions, edits them line by line with the keyboard, and deletes them", async () => {
  const { id } = await addClip(app, "wide-0", { title: "Spoken", slug: "spoken" });
  const { page } = await openAdmin(app, { path: `/admin/videos/${id}`, expectProblems: provoked });
  const refuse = (path: string) =>
    page.route(path, (route) => route.fulfill({ status: 500, body: "" }));
  const retry = async (failure: string) => {
    await page.getByText(failure).waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try Again" }).click();
  };
  await refuse("**/captions");
  await page.reload();
  await retry("Failed to load captions");
  await page.getByText("This video has no captions.").waitFor();
  await page.getByRole("button", { name: "Add captions" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("File").setInputFiles({
    name: "spoken.de.ass",
    mimeType: "text/x-ssa",
    buffer: Buffer.from(ass),
  });
  await expect.poll(() => dialog.getByLabel("Language").inputValue()).toBe("de");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("de · 2 lines · uploaded").waitFor();

  await refuse("**/captions/*");
  await page.getByRole("button", { name: "Edit lines: Deutsch" }).click();
  await retry("Failed to load the lines");
  const editor = page.getByRole("group", { name: "Lines in Deutsch" });
  await expect.poll(() => editor.evaluate((one) => one === document.activeElement)).toBe(true);
  const first = page.getByLabel("Text for line 1");
  await expect.poll(() => first.inputValue()).toBe("First line");
  await first.fill("Erste <i>Zeile</i> & mehr");
  await first.press("Alt+ArrowDown");
  const second = page.getByLabel("Text for line 2");
  await expect.poll(() => second.evaluate((area) => area === document.activeElement)).toBe(true);
  // A focused line is below the video, and the video is below the top bar.
  await page.setViewportSize({ width: 1280, height: 660 });
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight }));
  await first.focus();
  const bar = await page.getByRole("banner").boundingBox();
  const video = await page.getByLabel("Video for the lines in Deutsch").boundingBox();
  const line = await first.boundingBox();
  expect(video?.y).toBeGreaterThanOrEqual(bar?.height ?? 0);
  expect(line?.y).toBeGreaterThanOrEqual((video?.y ?? 0) + (video?.height ?? 0));
  await second.press("Alt+n");
  await page.getByLabel("Text for line 3").fill("Dritte");
  await page.getByLabel("End of line 1").fill("soon");
  await page.getByText("A line ends before it starts").waitFor();
  await page.getByLabel("End of line 1").fill("1.5");
  await page.getByLabel("Shift all lines (seconds)").fill("0.5");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(() => page.getByLabel("Start of line 3").inputValue()).toBe("0:03.500");
  await page.getByRole("button", { name: "Save lines" }).click();
  await page.getByText("de · 3 lines · uploaded").waitFor();

  await page.getByRole("button", { name: "Close", exact: true }).click();
  const opener = page.getByRole("button", { name: "Edit lines: Deutsch" });
  await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true);

  const { captions } = await (await fetch(`${app.url}/api/videos/${id}`)).json();
  const file = await (await fetch(app.url + captions[0].url)).text();
  expect(file).toBe(
    "WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nErste <i>Zeile</i> &amp; mehr\n\n" +
      "00:00:02.500 --> 00:00:03.500\nSecond line\n\n00:00:03.500 --> 00:00:05.500\nDritte\n",
  );
  await page.getByRole("button", { name: "Default: Deutsch" }).click();
  await page.getByText("uploaded · on by default").waitFor();
  await page.getByRole("button", { name: "Delete: Deutsch" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("This video has no captions.").waitFor();
});

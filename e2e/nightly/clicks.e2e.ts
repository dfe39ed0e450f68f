import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { testPassword } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { makeClip, useAdmin } from "../support/admin-support.ts";
import { provoked, screens } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";
import { makeFolder } from "#test/shared.ts";

let page: Page;
const dir = makeFolder("clicks");
const path = (name: string) => join(dir, name);
const several = [1, 2, 3, 4, 5, 6].map((number) => path(`part_${number}.mp4`));

const app = usePages({ work: true });
const admin = useAdmin(app, { viewport: screens.laptop, expectProblems: provoked });
beforeAll(async () => {
  page = admin.page;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const file of several) await makeClip(file);
  await writeFile(path("spoken.de.vtt"), "WEBVTT\n\n00:00.000 --> 00:01.000\nHallo\n");
  await writeFile(path("tags.csv"), "name\ntide pools\n");
});
beforeEach(async () => {
  clicks = 0;
  await app.db.deleteFrom("videos").execute();
});

let clicks: number;

async function click(target: Locator): Promise<void> {
  await target.click();
  clicks += 1;
}
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const menuLink = (name: string) =>
  page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name, exact: true });

/** Clicks a control that opens the file picker. */
async function pick(target: Locator, ...files: string[]): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), click(target)]);
  await chooser.setFiles(files);
}

/** Chooses an option with two clicks: on the field, and on the option. */
async function choose(field: Locator, option: string): Promise<void> {
  await field.selectOption({ label: option });
  clicks += 2;
}

/** Makes a video that the dashboard lists, and opens the dashboard. */
async function makeRecent(): Promise<void> {
  await makeVideo(app.db, { title: "Harbour", thumbnail_key: null, is_published: false });
  await page.goto("/admin");
  await page.getByRole("link", { name: /^Harbour/ }).waitFor();
}

// The table in docs/decisions/0011-back-office.md has the same numbers.
const tasks: [task: string, expected: number, run: () => Promise<void>][] = [
  [
    "uploads a video",
    4,
    async () => {
      await page.goto("/admin");
      await click(button("New upload"));
      await pick(page.getByText("Choose File"), ...several.slice(0, 1));
      await click(button("Continue"));
      const title = page.getByRole("dialog").getByLabel("Title");
      await expect
        .poll(() => title.evaluate((field) => field === document.activeElement))
        .toBe(true);
      await page.keyboard.type("Harbour");
      await click(page.getByRole("dialog").getByRole("button", { name: "Upload Video" }));
      await page.getByText("Video uploaded successfully").waitFor();
    },
  ],
  [
    "uploads six videos with tags",
    5,
    async () => {
      await page.goto("/admin");
      await click(button("New upload"));
      await pick(page.getByText("Choose File"), ...several);
      await click(button("Continue"));
      await click(page.getByRole("dialog").getByLabel("Tags"));
      await page.keyboard.type("sea,");
      await click(button("Upload all"));
      const countVideos = async () =>
        (await app.db.selectFrom("videos").select("id").execute()).length;
      await expect.poll(countVideos).toBe(several.length);
    },
  ],
  [
    "publishes a video",
    3,
    async () => {
      await makeRecent();
      await click(menuLink("Videos"));
      await click(button("Draft"));
      await click(page.getByRole("alertdialog").getByRole("button", { name: "Publish" }));
      await button("Published").waitFor();
    },
  ],
  [
    "schedules a video",
    4,
    async () => {
      await makeRecent();
      await click(menuLink("Videos"));
      await click(button("More actions for Harbour"));
      await click(page.getByRole("menuitem", { name: "Schedule publishing" }));
      const field = page.getByRole("dialog").getByLabel("Publish at");
      await field.fill("2030-05-01T09:00");
      await click(button("Schedule"));
      await page.getByText(/^Scheduled for/).waitFor();
    },
  ],
  [
    "adds captions",
    4,
    async () => {
      await makeRecent();
      await click(page.getByRole("link", { name: /^Harbour/ }));
      await click(button("Add captions"));
      await pick(page.getByRole("dialog").getByLabel("File"), path("spoken.de.vtt"));
      await click(button("Add"));
      await page.getByText(/^de · 1 line/).waitFor();
    },
  ],
  [
    "replaces the file of a recent video",
    3,
    async () => {
      await makeRecent();
      await click(page.getByRole("link", { name: /^Harbour/ }));
      await pick(
        page.locator("label, button").filter({ hasText: "Replace file" }),
        ...several.slice(0, 1),
      );
      await click(page.getByRole("alertdialog").getByRole("button", { name: "Replace file" }));
      await page
        .getByText(/^(Uploading|Processing the new file)/)
        .first()
        .waitFor();
    },
  ],
  [
    "deletes and restores a video",
    4,
    async () => {
      await makeRecent();
      await click(menuLink("Videos"));
      await click(button("Delete Harbour"));
      await click(page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
      await click(button("Undo"));
      await page.getByText('Restored "Harbour"').waitFor();
    },
  ],
  [
    "adds a campaign with a new advertiser and a goal",
    8,
    async () => {
      await page.goto("/admin");
      await click(menuLink("Campaigns"));
      await click(button("Add Campaign"));
      const form = page.getByRole("dialog", { name: "Add Campaign" });
      await form.getByLabel("Name").waitFor();
      await page.keyboard.type("Spring");
      await click(button("New advertiser"));
      const advertiser = page.getByRole("dialog", { name: "Add Advertiser" });
      await advertiser.getByLabel("Name").waitFor();
      await page.keyboard.type("Nova");
      await click(advertiser.getByRole("button", { name: "Create" }));
      await choose(form.getByLabel("Goal"), "Impressions");
      await click(form.getByLabel("Target number"));
      await page.keyboard.type("100000");
      await click(form.getByRole("button", { name: "Create" }));
      await page.getByRole("link", { name: "Spring", exact: true }).waitFor();
    },
  ],
  [
    "invites a user",
    4,
    async () => {
      await page.goto("/admin");
      await click(menuLink("People"));
      await click(button("Invite"));
      await page.getByRole("dialog").getByLabel("Email").waitFor();
      await page.keyboard.type("someone@example.com");
      await click(page.getByRole("dialog").getByRole("button", { name: "Invite" }));
      // The dialog appears if the sign-in is older than five minutes.
      const confirmation = page.getByRole("dialog", { name: "Confirm it's you" });
      await confirmation.or(button("Copy link")).waitFor();
      if (await confirmation.isVisible()) {
        await confirmation.getByLabel("Password").fill(testPassword);
        await page.keyboard.press("Enter");
      }
      await click(button("Copy link"));
      await page.getByText("Invitation link copied").waitFor();
    },
  ],
  [
    "imports a CSV file of tags",
    5,
    async () => {
      await page.goto("/admin");
      const link = menuLink("Import and export");
      if (!(await link.isVisible())) await click(button("System"));
      await click(link);
      await page.getByLabel("Type of data").selectOption("tags");
      await pick(page.getByLabel("CSV file"), path("tags.csv"));
      await click(button("Check the rows"));
      await click(button("Import 1 row"));
      await page.getByRole("status").getByText("Done").waitFor();
    },
  ],
];

it.each(tasks)("%s with %i clicks from the dashboard", async (_task, expected, run) => {
  await run();
  expect(clicks).toBe(expected);
});

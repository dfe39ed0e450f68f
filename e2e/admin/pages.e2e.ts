import type { Page } from "playwright-core";
import { matchPath } from "react-router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminPages } from "#web/features/admin/admin-pages.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin, type Admin } from "../support/admin-support.ts";
import {
  expectAccessible,
  expectContrastInOtherScheme,
  expectTouchTargets,
} from "../support/accessible.ts";
import { screens, provoked } from "../support/browser.ts";
import { detailsId, fillOffice, officePages } from "../support/office-pages.ts";
import { expectFitsAtEachTextSize, overflowPx } from "../support/page-width.ts";
import { addCaptions, wholeLine } from "../support/player-clips.ts";
import { usePages } from "../support/shared-site.ts";

/**
 * Every page of the back office passes axe, doesn't scroll sideways and shows markup as text. Their
 * dialogs are in `nightly/dialogs.e2e.ts`.
 */

const app = usePages({ work: true });
beforeAll(() => fillOffice(app));

it("visits every page of the table", () => {
  const visited = officePages.map(([path]) => path.replace(/\?.*/, ""));
  const missing = adminPages.filter(({ href }) => !visited.some((path) => matchPath(href, path)));
  expect(missing.map(({ href }) => href)).toEqual([]);
});

/** Allows clamped titles one extra em, for slanted letters. */
const findOverprinted = (page: Page) =>
  page
    .locator(".data-table :is(th, td)")
    .evaluateAll((cells) =>
      cells
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 14)
        .map(({ textContent }) => textContent),
    );

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect.poll(() => overflowPx(page)).toBe(0);
}

async function expectTablesInsideColumns(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expect.poll(() => findOverprinted(page)).toEqual([]);
}

describe("every page", () => {
  let admin: Admin;
  beforeAll(async () => {
    // A new session needs no confirmation of the password.
    admin = await openAdmin(app, {
      viewport: screens.laptop,
      reducedMotion: "reduce",
      expectProblems: provoked,
    });
  });
  afterAll(() => admin.close());

  // Loading a page costs more than checking it, so one load serves all screens.
  it.each(officePages)(
    "passes axe, fits all screens and runs no entered script at %s",
    async (path, sign) => {
      const { page } = admin;
      await page.goto(path);
      await page.getByText(sign).first().waitFor();
      await expectTablesInsideColumns(page);
      await expectAccessible(page);
      await expectContrastInOtherScheme(page);
      await page.setViewportSize(screens.tablet);
      await expectTablesInsideColumns(page);
      await page.setViewportSize(screens.phone);
      await expectFitsAtEachTextSize(page);
      await expectTouchTargets(page);
      await page.setViewportSize(screens.laptop);
      expect(await page.evaluate(() => "hasRun" in window)).toBe(false);
    },
  );
});

it("fits the title of a video in the space beside the other columns", async () => {
  const { page } = await openAdmin(app, { path: "/admin/videos", viewport: screens.laptop });
  const title = page.getByRole("link", { name: "Playable", exact: true });
  await title.waitFor();
  const lines = await title.evaluate(
    (link) => link.getBoundingClientRect().height / parseFloat(getComputedStyle(link).lineHeight),
  );
  expect(Math.round(lines)).toBe(1);
  const share = await page
    .getByRole("columnheader", { name: "Video" })
    .evaluate((cell) => cell.clientWidth / (cell.closest("table")?.clientWidth ?? 0));
  expect(share).toBeGreaterThan(0.3);
  await page.setViewportSize({ width: screens.laptop.width, height: 400 });
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, 500);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200);
  const header = await page.getByRole("columnheader", { name: "Video" }).boundingBox();
  expect(Math.round(header?.y ?? 0)).toBe(56);
});

describe("axe finds nothing in", () => {
  it("the page for users without permission", async () => {
    const { page } = await openAdmin(app, { role: "USER", expectProblems: provoked });
    await page.getByRole("heading", { name: "Access Denied" }).waitFor();
    await expectAccessible(page);
  });

  it("the editor of captions", async () => {
    const { id } = await makeVideo(app.db, { title: "Spoken", thumbnail_key: null });
    await addCaptions(app, id, "language=de", wholeLine("Hallo"));
    // The video has no file.
    const { page } = await openAdmin(app, {
      path: `/admin/videos/${id}`,
      expectProblems: provoked,
    });
    await page.getByRole("button", { name: "Edit lines: Deutsch" }).click();
    await page.getByLabel("Text for line 1").waitFor();
    await expectAccessible(page);
  });

  it("a preview of an import with problems", async () => {
    const { page } = await openAdmin(app, { path: "/admin/import" });
    await page.getByLabel("Type of data").selectOption({ label: "Tags" });
    await page.getByLabel("CSV file").setInputFiles({
      name: "tags.csv",
      mimeType: "text/csv",
      buffer: Buffer.from('name,description\r\n"a, comma",Refused\r\nFine,Accepted\r\n'),
    });
    await page.getByRole("button", { name: "Check the rows" }).click();
    await page.getByRole("table", { name: "Rows with problems" }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize(screens.phone);
    await expectNoSidewaysScroll(page);
  });

  it("an empty list with an example", async () => {
    await app.db.deleteFrom("ads").execute();
    await app.db.deleteFrom("campaigns").execute();
    const { page } = await openAdmin(app, { path: "/admin/campaigns" });
    await page.getByText("No campaigns yet").waitFor();
    await expectAccessible(page);
  });

  it("an edit conflict, the question for the password and the end of a session", async () => {
    const admin = await openAdmin(app, { path: "/admin/account", expectProblems: provoked });
    const { page } = admin;
    await app.db
      .updateTable("sessions")
      .set({ confirmed_at: new Date(0) })
      .execute();
    const address = page.getByRole("region", { name: "Email" });
    await address.getByLabel("Email").fill("confirmed@example.com");
    await address.getByRole("button", { name: "Change email" }).click();
    const question = page.getByRole("dialog", { name: "Confirm it's you" });
    await question.waitFor();
    await expectAccessible(page, "[role=dialog]");
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByText(/^Failed to change the email/).waitFor();

    await page.goto(`/admin/videos?edit=${detailsId}`);
    const form = page.getByRole("dialog", { name: "Edit Video" });
    await form.getByLabel("Title").fill("Title of the second");
    await fetch(`${app.url}/api/videos/${detailsId}`, {
      method: "PUT",
      headers: { cookie: await app.signIn(), "content-type": "application/json" },
      body: JSON.stringify({ title: "Title of the first" }),
    });
    await form.getByRole("button", { name: "Update Video" }).click();
    await form.getByRole("alert", { name: "Edit conflict" }).waitFor();
    await expectAccessible(page, "[role=dialog]");
    await form.getByRole("button", { name: "Keep mine: Title" }).click();
    await app.db.deleteFrom("sessions").execute();
    await form.getByRole("button", { name: "Update Video" }).click();
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await expectAccessible(page);
  });
});

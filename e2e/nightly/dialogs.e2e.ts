import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { useAdmin } from "../support/admin-support.ts";
import { expectAccessible, expectTouchTargets } from "../support/accessible.ts";
import { provoked, screens } from "../support/browser.ts";
import { fillOffice, officePages } from "../support/office-pages.ts";
import { overflowPx } from "../support/page-width.ts";
import { usePages } from "../support/shared-site.ts";

/** Every dialog of the back office passes axe and doesn't scroll sideways. */

const app = usePages({ work: true });
beforeAll(() => fillOffice(app));
// A new session needs no confirmation of the password.
const admin = useAdmin(app, {
  viewport: screens.laptop,
  reducedMotion: "reduce",
  expectProblems: provoked,
});

/** Checks the open dialog at two sizes, and closes it. */
async function expectAccessibleDialog(page: Page): Promise<void> {
  const shown = page.locator("[role=dialog], [role=alertdialog]");
  await shown.waitFor();
  await expectAccessible(page, "[role=dialog], [role=alertdialog]");
  await page.setViewportSize(screens.phone);
  await expect.poll(() => overflowPx(page)).toBe(0);
  await expectTouchTargets(page, "[role=dialog], [role=alertdialog]");
  await page.setViewportSize(screens.laptop);
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "detached" });
}

const pages = officePages.filter(([, , dialogs]) => dialogs.length > 0);

it.each(pages)("passes axe and fits a phone in all dialogs at %s", async (path, sign, dialogs) => {
  const { page } = admin;
  await page.goto(path);
  await page.getByText(sign).first().waitFor();
  for (const open of dialogs) {
    await open(page);
    await expectAccessibleDialog(page);
  }
});

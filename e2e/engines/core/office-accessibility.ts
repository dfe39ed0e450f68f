import { expect, it } from "vitest";
import { adminPages } from "#web/features/admin/admin-pages.ts";
import { findViolations } from "../support/axe.ts";
import type { EnginePage } from "../support/engine-page.ts";
import type { EngineSite } from "../support/engine-site.ts";
import { waitFor } from "../support/screen.ts";

/** Leaves out pages about a single item, except the page of a video. */
const paths = adminPages
  .map(({ href }) => href)
  .filter((href) => !href.includes("/:id") || href === "/admin/videos/:id");

const waitUntilLoaded = (page: EnginePage): Promise<unknown> =>
  waitFor(
    page,
    () =>
      document.querySelector("main h1") !== null &&
      document.querySelector("main [aria-busy=true], main .skeleton, main .spinner") === null,
  );

/** Registers the axe test of the back office. In Chromium, `admin/pages.e2e.ts` contains it. */
export function officeAccessibilityTests(site: EngineSite): void {
  it("shows nothing that axe objects to in the back office, in both themes", async () => {
    const { json } = await site.admin.call("GET", "/api/videos?search=northern");
    const page = await site.openAdmin("/admin");
    // In Firefox, scripts that are still loading when the page is left are reported as errors.
    await waitUntilLoaded(page);
    const violations: Record<string, string[]> = {};
    for (const path of paths) {
      await page.goto(path.replace(":id", json.videos[0].id));
      await waitUntilLoaded(page);
      const found = await findViolations(page);
      if (found.length > 0) violations[path] = found;
    }
    expect(violations).toEqual({});
  });
}

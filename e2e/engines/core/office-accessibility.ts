import { expect, it } from "vitest";
import { adminPages } from "#web/features/admin/admin-pages.ts";
import { findViolations } from "../support/axe.ts";
import type { EngineSite } from "../support/engine-site.ts";
import { waitFor } from "../support/screen.ts";

/** Leaves out pages about a single item, except the page of a video. */
const paths = adminPages
  .map(({ href }) => href)
  .filter((href) => !href.includes("/:id") || href === "/admin/videos/:id");

export function officeAccessibilityTests(site: EngineSite): void {
  it.each(paths)("shows nothing that axe objects to at %s, in both themes", async (path) => {
    const { json } = await site.admin.call("GET", "/api/videos?search=northern");
    const page = await site.openAdmin(path.replace(":id", json.videos[0].id));
    await waitFor(
      page,
      () =>
        document.querySelector("main h1") !== null &&
        document.querySelector("main [aria-busy=true], main .skeleton, main .spinner") === null,
    );
    expect(await findViolations(page)).toEqual([]);
  });
}

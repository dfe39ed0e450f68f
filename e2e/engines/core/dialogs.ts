import { expect, it } from "vitest";
import type { EnginePage } from "../support/engine-page.ts";
import type { EngineSite } from "../support/engine-site.ts";
import { waitFor, waitForHydration } from "../support/screen.ts";

/** Returns the hidden and the visible height of an open dialog's scrolling part. */
const measureDialog = (page: EnginePage) =>
  waitFor(page, () => {
    const dialog = document.querySelector("[role=dialog].dialog-popup");
    if (dialog === null || dialog.getAnimations({ subtree: true }).length > 0) return null;
    const body = dialog.querySelector(".overflow-y-auto") ?? dialog;
    const { top, bottom } = dialog.getBoundingClientRect();
    return {
      hidden: body.scrollHeight - body.clientHeight,
      isOnScreen: top >= 0 && bottom <= innerHeight,
      spare: innerHeight - (bottom - top),
    };
  });

async function expectWholeDialog(page: EnginePage): Promise<void> {
  const { hidden, isOnScreen, spare } = await measureDialog(page);
  expect(isOnScreen).toBe(true);
  // Content only scrolls if it doesn't fit the screen.
  if (spare > 40) expect(hidden).toBeLessThanOrEqual(1);
}

export function dialogTests(site: EngineSite): void {
  it.each(["phone", "laptop"] as const)("shows the whole share dialog at %s", async (size) => {
    const page = await site.open("/video/northern-lights", { size });
    await waitForHydration(page);
    await page.click({ css: "button", name: "Share" });
    await expectWholeDialog(page);
  });

  it("shows the whole upload dialog", async () => {
    const page = await site.openAdmin("/admin/videos");
    await page.click({ css: "button", name: "Upload Video" });
    await expectWholeDialog(page);
  });
}

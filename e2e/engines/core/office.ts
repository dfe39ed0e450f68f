import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeUser, testPassword } from "#test/factories/make-user.ts";
import { makeClip } from "../../support/admin-support.ts";
import type { EnginePage } from "../support/engine-page.ts";
import type { EngineSite } from "../support/engine-site.ts";
import { waitFor, waitForHydration, waitForText } from "../support/screen.ts";

/** Waits for a row of a table with these texts. */
async function waitForRow(page: EnginePage, ...texts: string[]): Promise<void> {
  await waitFor(
    page,
    (wanted) =>
      [...document.querySelectorAll("tr")].some((row) =>
        wanted.every((text) => row.textContent.includes(text)),
      ),
    texts,
  );
}

/** Registers the tests of the back office. */
export function officeTests(site: EngineSite): void {
  it.each(["phone", "laptop"] as const)("signs in at %s", async (size) => {
    // The form requests the session before it sends the password.
    site.expectProblems(/status of 401/);
    const user = await makeUser(site.app.database.db);
    const page = await site.open("/auth/signin", { size });
    await waitForHydration(page);
    await page.enter("input[name=email]", user.email);
    await page.enter("input[name=password]", `${testPassword}x`);
    await page.click({ css: "button[type=submit]", name: "Sign in" });
    await waitForText(page, "[role=alert]", "Invalid credentials");
    await page.enter("input[name=password]", testPassword);
    await page.click({ css: "button[type=submit]", name: "Sign in" });
    await waitFor(page, () => location.pathname === "/admin");
    await waitForText(page, "main", "Total Videos");
  });

  it("publishes an uploaded video and edits it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kinora-engine-"));
    const title = "Upload of an engine";
    try {
      await makeClip(join(folder, "clip.mp4"));
      const page = await site.openAdmin("/admin/videos");
      await page.click({ css: "button", name: "Upload Video" });
      await page.setFiles("input[type=file]", join(folder, "clip.mp4"));
      await page.click({ css: "[role=dialog] button", name: "Continue" });
      await page.enter({ css: "[role=dialog] input", name: "Title" }, title);
      await page.click({ css: "[role=dialog] button", name: "Upload Video" });
      await waitForRow(page, title, "Draft", "Ready");

      await page.click({
        css: "tr:has([aria-label='Edit Upload of an engine']) button",
        name: "Draft",
      });
      await waitForText(page, "[role=alertdialog], [role=dialog]", `publish "${title}"?`);
      await page.click({ css: "[role=alertdialog] button, [role=dialog] button", name: "Publish" });
      await waitForRow(page, title, "Published");

      await page.click({ css: "button", name: `Edit ${title}` });
      await page.enter({ css: "[role=dialog] input", name: "Title" }, "Edited in an engine");
      await page.click({ css: "[role=dialog] button", name: "Update Video" });
      await waitForRow(page, "Edited in an engine", "Published");
      const { json } = await site.admin.call("GET", "/api/videos?search=Edited+in+an+engine");
      expect(json.videos[0]).toMatchObject({ title: "Edited in an engine", isPublished: true });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("adds an ad", async () => {
    const page = await site.openAdmin("/admin/ads");
    await page.click({ css: "button", name: "Add Advertisement" });
    await page.enter({ css: "[role=dialog] input", name: "Title" }, "Autumn sale");
    await page.select({ css: "[role=dialog] select", name: "Type" }, "banner");
    await page.select({ css: "[role=dialog] select", name: "Placement" }, "footer");
    await page.enter({ css: "[role=dialog] textarea", name: "Content" }, "<b>Autumn</b>");
    await page.click({ css: "[role=dialog] button", name: "Create" });
    await waitForRow(page, "Autumn sale", "0.00%");
    const { json } = await site.admin.call("GET", "/api/ads?search=Autumn");
    for (const { id } of json.ads) await site.admin.call("DELETE", `/api/ads/${id}`);
  });

  it("saves the settings", async () => {
    const page = await site.openAdmin("/admin/settings");
    await page.enter({ css: "input", name: "Site Name" }, "Engines");
    await page.click({ css: "button", name: "Save Settings" });
    await waitForText(page, "body", "Settings saved successfully!");
    const { json } = await site.admin.call("GET", "/api/settings/public");
    expect(json.siteName).toBe("Engines");
    await site.admin.call("POST", "/api/settings", { siteName: null });
  });
}

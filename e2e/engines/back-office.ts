import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeUser, testPassword } from "#test/factories/make-user.ts";
import { makeClip } from "../support/admin-support.ts";
import type { EnginePage } from "./support/engine-page.ts";
import type { EngineSite } from "./support/engine-site.ts";
import { expectWholeDialog, waitFor, waitForHydration, waitForText } from "./support/screen.ts";

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

export function testOffice(site: EngineSite): void {
  it("signs in", async () => {
    // The form requests the session before it sends the password.
    site.expectProblems(/status of 401/);
    const user = await makeUser(site.app.db);
    const page = await site.open("/auth/signin", { size: "phone" });
    await waitForHydration(page);
    await page.enter("input[name=email]", user.email);
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
      await expectWholeDialog(page);
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
}

export function testCut(site: EngineSite): void {
  it("removes a part of a video with keys, and previews the rest", async () => {
    const { json } = await site.admin.call("GET", "/api/videos/northern-lights");
    const page = await site.openAdmin(`/admin/videos/${json.id}/cut`);
    await waitForText(page, "main", "Parts to keep (1)");
    const enterTime = async (name: string, time: string) => {
      await page.enter({ css: "main input", name }, time);
      await page.press("Enter");
    };
    await enterTime("Start", "0:01");
    await enterTime("End", "0:03");
    await waitForText(page, "main", "0:02.000 selected");
    await page.click({ css: "main button", name: "Next frame" });
    await page.press("x");
    await waitForText(page, "main", "Removed: 0:01.000 to 0:03.000");
    await page.press("Home");
    await page.press("p");
    await waitFor(page, () => (document.querySelector("video")?.currentTime ?? 0) > 3);
    await page.press("p");
    await page.click({ css: "main button", name: "Undo last step" });
    await waitForText(page, "main", "Nothing is removed.");
  });
}

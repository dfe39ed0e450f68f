import { expect, it } from "vitest";
import { usePublicSite } from "../support/public-site.ts";

/** The videos of this site have no files, so they do not play. */
const site = usePublicSite({ expectProblems: /media|MEDIA_ERR|NotSupportedError|play|404/i });

it("history, watch later and follows stay in the browser, and move to another one once", async () => {
  const first = await site.visit("/video/study-28");
  const { page } = first;
  const later = page.getByRole("button", { name: "Watch later" });
  await later.click();
  await expect.poll(() => later.getAttribute("aria-pressed")).toBe("true");
  await page.goto("/tags/slow");
  const follow = page.getByRole("button", { name: "Follow", exact: true });
  await follow.click();
  await page.getByRole("button", { name: "Following" }).waitFor();

  await page.goto("/library");
  const listed = (visited: typeof page, list: string) =>
    visited.getByRole("region", { name: list }).getByRole("link", { name: /Study 28/ });
  await listed(page, "Watch later").waitFor();
  await listed(page, "History").waitFor();
  await page
    .getByRole("region", { name: "Following" })
    .getByRole("link", { name: "RSS" })
    .waitFor();
  await page.getByRole("button", { name: "Make a code" }).click();
  const shown = page.locator("[data-code]");
  await shown.waitFor();
  const code = (await shown.innerText()).replace(/^Code:\s*/, "");

  // The QR code leads here.
  const other = await site.visit(`/library#code=${code.replaceAll("-", "")}`);
  await other.page.getByRole("button", { name: "Take over" }).click();
  await listed(other.page, "Watch later").waitFor();
  await listed(other.page, "History").waitFor();
  await other.page.getByRole("link", { name: "slow" }).waitFor();

  await other.page.getByRole("textbox", { name: "Code of the other device" }).fill(code);
  await other.page.getByRole("button", { name: "Take over" }).click();
  await other.page.getByText("This code is unknown, used or older than ten minutes.").waitFor();

  await other.page.getByRole("button", { name: "Forget me" }).click();
  await other.page.getByRole("dialog").getByRole("button", { name: "Forget me" }).click();
  await listed(other.page, "History").waitFor({ state: "detached" });
  await expect
    .poll(() => other.page.evaluate(() => localStorage.getItem("kinora.library")))
    .toBeNull();
  await first.close();
  await other.close();
});

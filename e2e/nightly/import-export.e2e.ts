import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeClip, useAdmin } from "../support/admin-support.ts";
import { screens } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";
import { overflowPx } from "../support/page-width.ts";
import { makeFolder } from "#test/shared.ts";

const dir = makeFolder("exchange");

const app = usePages({ work: true, env: { IMPORT_DIR: join(dir, "in") } });
beforeAll(async () => {
  await mkdir(join(dir, "in"));
  await makeClip(join(dir, "in", "from_the-folder.mp4"));
  await mkdir(join(dir, "in", "old-site"));
  await makeClip(join(dir, "in", "old-site", "moved.mp4"));
  const info = { id: "1", extractor: "other", title: "Moved in" };
  await writeFile(join(dir, "in", "old-site", "moved.info.json"), JSON.stringify(info));
  await writeFile(join(dir, "in", "old-site", "broken.info.json"), "{");
});
const admin = useAdmin(app, { path: "/admin/import", acceptDownloads: true });

const rows = 1000;
const isBad = (n: number) => n % 50 === 7;

it("imports 1,000 rows of which 20 are invalid, after a preview of the changes", async () => {
  const { page } = admin;
  const lines = Array.from({ length: rows }, (_, n) =>
    isBad(n) ? `"a, comma ${n}",Refused` : `Tag ${n},"=1+1, ""quoted"" ${n}"`,
  );
  const path = join(dir, "tags.csv");
  await writeFile(path, `Label,Description\r\n${lines.join("\r\n")}\r\n`);

  // Uses the keyboard only.
  await page.getByLabel("Type of data").focus();
  await page.keyboard.type("Tags");
  await page.getByLabel("CSV file").setInputFiles(path);
  await page.getByRole("button", { name: "Check the rows" }).focus();
  await page.keyboard.press("Enter");

  // The file's name column is called "Label", which isn't a field, so all rows lack a name.
  const counts = page.getByRole("region", { name: "Preview of changes" });
  const countOf = (name: string) =>
    counts.locator("div", { has: page.getByText(name, { exact: true }) }).locator("dd");
  await page.getByRole("status").getByText("Checked").waitFor();
  await expect.poll(() => countOf("Problems").textContent()).toBe("1,000");
  await page.getByLabel("Field for column Label").selectOption("name");
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Import 980 rows" }).waitFor();
  await expect.poll(() => countOf("New").textContent()).toBe("980");
  await expect.poll(() => countOf("Problems").textContent()).toBe("20");
  const problems = page.getByRole("table", { name: "Rows with problems" });
  await expect.poll(() => problems.locator("tbody tr").count()).toBe(20);
  await problems.getByRole("row").filter({ hasText: "a, comma 957" }).getByText("959").waitFor();
  const none = await app.db.selectFrom("tags").select("id").execute();
  expect(none).toEqual([]);

  await page.setViewportSize(screens.phone);
  await expect.poll(() => overflowPx(page)).toBe(0);
  await page.setViewportSize(screens.laptop);

  await page.getByRole("button", { name: "Import 980 rows" }).click();
  await page.getByRole("status").getByText("Done").waitFor();
  const made = await app.db.selectFrom("tags").select("name").execute();
  expect(made.length).toBe(980);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download these rows" }).click(),
  ]);
  const wrong = await readFile(await download.path(), "utf8");
  expect(wrong.trim().split("\r\n").length).toBe(21);
});

it("exports data that can be imported again unchanged, and starts no formula", async () => {
  const { page } = admin;
  await makeAd(app.db, { title: "=HYPERLINK(1)", description: "+1" });
  for (const [kind, name] of [
    ["tags", "Tags"],
    ["ads", "Ads"],
  ] as const) {
    await page.goto("/admin/import");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: `Export ${kind}` }).click(),
    ]);
    const path = await download.path();
    const text = await readFile(path, "utf8");
    expect(text).not.toMatch(/(^|[,"\n])[=+@]/);
    expect(text).toContain("'=");
    await page.getByLabel("Type of data").selectOption({ label: name });
    await page.getByLabel("CSV file").setInputFiles({
      name: `${kind}.csv`,
      mimeType: "text/csv",
      buffer: Buffer.from(text),
    });
    await page.getByRole("button", { name: "Check the rows" }).click();
    await page.getByText("Nothing to change.").waitFor();
  }
});

it("imports from the import folder, and refuses addresses inside the network", async () => {
  const { page } = admin;
  await page.goto("/admin/import");
  await page.getByLabel("Media source").selectOption("addresses");
  await page.getByLabel(/^URLs of video files/).fill("http://127.0.0.1:9/secret.mp4");
  await page.getByRole("button", { name: "Check the rows" }).click();
  await page.getByText("address: isn't on the public internet").waitFor();
  await page.getByText("Nothing to change.").waitFor();
  await page.getByRole("button", { name: "Cancel import" }).click();

  await page.getByRole("button", { name: "Import another file" }).click();
  await page.getByLabel("Media source").selectOption("folder");
  await page.getByLabel("from_the-folder.mp4").check();
  await page.getByRole("button", { name: "Check the rows" }).click();
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await page.getByRole("status").getByText("Done").waitFor();
  await page.goto("/admin/videos");
  await page.getByText("from the folder").first().waitFor();
});

it("moves in from another site after showing what would happen", async () => {
  const { page } = admin;
  await page.goto("/admin/import");
  await page.getByLabel("Folder or zip archive").fill("old-site");
  await page.keyboard.press("Enter");
  await page.getByText("not valid JSON").waitFor();
  await page.getByRole("button", { name: "Import 1 video" }).click();
  await page.getByRole("status").getByText("Done with 1 problem").waitFor();
  const { json } = await createClient(app.url, await app.signIn()).call(
    "GET",
    "/api/videos/moved-in",
  );
  expect(json.title).toBe("Moved in");
});

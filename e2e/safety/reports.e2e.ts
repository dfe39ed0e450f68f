import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { similarReason } from "#contract/visitors/reports.ts";
import { newId } from "#server/lib/ids.ts";
import { createClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { makeClip, openAdmin } from "../support/admin-support.ts";
import { openVisitor, phone } from "../support/browser.ts";
import { useMailServer } from "../support/mail-server.ts";
import { serveThumbnails } from "../support/public-site.ts";
import { usePages } from "../support/shared-site.ts";

const mail = useMailServer();
const app = usePages(() => ({ work: true, env: mail.env }));

async function upload(client: ReturnType<typeof createClient>, path: string) {
  const form = new FormData();
  form.set("title", "Stolen work");
  form.set("video", await openAsBlob(path), "original.mp4");
  return client.call("POST", "/api/videos", form);
}

it("takes a reported video down and refuses an upload of the same file", async () => {
  const client = createClient(app.url, await app.signIn());
  const clip = join(app.dataDir, "original.mp4");
  await makeClip(clip);
  const first = await upload(client, clip);
  expect(first.status).toBe(201);
  const { id, slug } = first.json;
  await expect
    .poll(async () => (await client.call("GET", `/api/videos/${id}`)).json.status)
    .toBe("ready");
  await client.call("PUT", `/api/videos/${id}`, { isPublished: true });

  const visitor = await openVisitor(app.url);
  await visitor.page.goto(`/video/${slug}`);
  const dialog = visitor.page.getByRole("dialog", { name: "Report this video" });
  // The page is hydrated once the player's controls appear.
  await visitor.page.getByRole("slider", { name: "Seek" }).waitFor({ state: "attached" });
  await visitor.page.getByRole("button", { name: "More about this video" }).click();
  await visitor.page.getByRole("menuitem", { name: "Report" }).click();
  await dialog.waitFor();
  await dialog.getByRole("radio", { name: "Something else" }).check();
  await dialog.getByLabel("What should we know?").fill("זה שלי <script>alert(1)</script>");
  await dialog.getByLabel("Email").fill("owner@example.com");
  await dialog.getByRole("button", { name: "Send report" }).click();
  const thanks = dialog.getByText("Thank you. A moderator will review this video.");
  await thanks.and(visitor.page.locator(":focus")).waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => mail.inbox.length).toBe(1);
  expect(mail.inbox[0]).toContain("owner@example.com");
  const link = /\/report-senders\?token=[\w-]+/.exec(mail.inbox[0] ?? "")?.[0] ?? "";
  await visitor.page.goto(link);
  await visitor.page.getByRole("button", { name: "Send me the decision" }).click();
  await visitor.page.getByText("Confirmed.").waitFor();
  await visitor.close();

  const moderator = await openAdmin(app, { path: "/admin/reports" });
  const { page } = moderator;
  await page.getByText("1 open report", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Open the report about Stolen work" }).click();
  const report = page.getByRole("dialog", { name: "Stolen work" });
  await report.getByText("זה שלי <script>alert(1)</script>").waitFor();
  await report.getByText("owner@example.com").waitFor();
  await report.getByRole("button", { name: "Start review" }).click();
  await report.getByText("In review").waitFor();
  await report.getByLabel("Add note").fill("Asked the uploader");
  await report.getByRole("button", { name: "Add note" }).click();
  await report.getByText("Asked the uploader").waitFor();
  await report.getByRole("button", { name: "Remove and block file" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Remove and block file" }).click();
  await report.getByText("Removed and blocked").waitFor();
  await page.keyboard.press("Escape");
  await report.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Blocked files" }).click();
  await page.getByRole("dialog").getByText("Stolen work").waitFor();
  await moderator.close();

  expect((await fetch(`${app.url}/video/${slug}`)).status).toBe(404);
  const again = await upload(client, clip);
  expect([again.status, again.json.message]).toEqual([
    422,
    "A moderator removed this file from the site. It can't be uploaded again.",
  ]);
  await expect.poll(() => mail.inbox.length).toBe(2);
  expect(mail.inbox[1]).toContain("owner@example.com");
  expect(mail.inbox[1]).toContain("blocked its file from being uploaded again");
});

it("lists the blocked files that a video resembles, without senders", async () => {
  const video = await makeVideo(app.db, { title: "Copied work" });
  await app.db
    .insertInto("reports")
    .values({
      id: newId(),
      kind: "report",
      video_id: video.id,
      video_title: video.title,
      video_slug: video.slug,
      reason: similarReason,
      text: "Stolen work",
    })
    .execute();
  const { page } = await openAdmin(app, { path: "/admin/reports" });
  await page.getByText("Similar to a blocked file").waitFor();
  await page.getByRole("button", { name: "Open the report about Copied work" }).click();
  const report = page.getByRole("dialog", { name: "Copied work" });
  await report.getByText("Frames of this video match these blocked files:").waitFor();
  await report.getByText("Stolen work").waitFor();
  expect(await report.getByRole("region", { name: "Sender" }).count()).toBe(0);
});

it("accepts reports and takedown notices without scripts", async () => {
  const video = await makeVideo(app.db, { title: "Quiet <b>" });
  const { page } = await openVisitor(app.url, { ...phone, javaScriptEnabled: false });
  await serveThumbnails(page);
  await page.goto(`/video/${video.slug}`);
  await page.getByRole("link", { name: "Report", exact: true }).click();
  await page.getByText("Quiet <b>").waitFor();
  await page.getByLabel("Illegal content").check();
  await page.getByRole("button", { name: "Send report" }).click();
  await page.getByText("Thank you. A moderator will review this video.").waitFor();

  await page.goto("/");
  await page.goto("/home");
  await page.getByRole("link", { name: "Takedown notice" }).click();
  await page.getByLabel("Copyright").check();
  await page.getByLabel("Video URLs").fill(`${app.url}/video/${video.slug}`);
  await page.getByLabel("What is being infringed, and how?").fill("My work");
  await page.getByLabel("Full name").fill("Ada Loom");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("I have a good faith belief").check();
  await page.getByLabel("The information in this notice is accurate").check();
  await page.getByLabel("Signature").fill("Ada Loom");
  await page.getByRole("button", { name: "Send notice" }).click();
  await page.getByText("We received your notice.").waitFor();
  const rows = await app.db
    .selectFrom("reports")
    .select(["kind", "reason"])
    .where("video_id", "=", video.id)
    .orderBy("created_at")
    .execute();
  expect(rows).toEqual([
    { kind: "report", reason: "illegal" },
    { kind: "takedown", reason: "copyright" },
  ]);
});

it("reports from the menu of the feed", async () => {
  await makeVideo(app.db, { slug: "in-the-feed", title: "In the feed" });
  const { page } = await openVisitor(app.url, { expectProblems: /./ });
  await serveThumbnails(page);
  await page.goto("/feed/in-the-feed");
  await page.getByRole("button", { name: "More about this video" }).first().click();
  await page.getByRole("menuitem", { name: "Report" }).click();
  const dialog = page.getByRole("dialog", { name: "Report this video" });
  await dialog.getByText("In the feed").waitFor();
  // In the field, the feed's shortcut keys type letters.
  await dialog.getByLabel("What should we know?").fill("");
  await page.keyboard.type("jm");
  await expect.poll(() => dialog.getByLabel("What should we know?").inputValue()).toBe("jm");
  await dialog.getByRole("radio", { name: "Spam or misleading" }).check();
  await dialog.getByRole("button", { name: "Send report" }).click();
  await dialog.getByText("Thank you.").waitFor();
});

import { beforeAll, expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin } from "../support/admin-support.ts";
import { openVisitor, phone } from "../support/browser.ts";
import { serveThumbnails } from "../support/public-site.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();
beforeAll(async () => {
  await makeVideo(app.db, { slug: "talk", title: "Talk" });
});

/** The videos have no files. */
const expectProblems = /media|MEDIA_ERR|NotSupportedError|play|404/i;
const text = "Nice <b>work</b>\n\u202eעברית";

it("publishes a visitor's comment from the queue, and removes it after a report", async () => {
  const { page: office } = await openAdmin(app, { path: "/admin/safety" });
  await office.getByLabel("Comments below videos").selectOption("Held for approval");
  await office.getByText("Saved", { exact: true }).waitFor();

  const { page } = await openVisitor(app.url, { expectProblems });
  await serveThumbnails(page);
  await page.goto("/video/talk");
  const section = page.getByRole("region", { name: "Comments" });
  await page.getByRole("slider", { name: "Seek" }).waitFor({ state: "attached" });
  await section.getByRole("link", { name: "Comments" }).click();
  // The heading replaces the link.
  await section.getByRole("heading", { name: "Comments" }).and(page.locator(":focus")).waitFor();
  await section.getByText("No comments yet.").waitFor();
  await section.getByRole("textbox", { name: /^Comment/ }).fill(text);
  await section.getByLabel("Name").fill("Ada");
  await section.getByRole("button", { name: "Send comment" }).click();
  await section.getByText("Your comment will appear once a moderator approves it.").waitFor();

  await office.goto("/admin/reports");
  await office.getByRole("button", { name: "Open the report about Talk" }).click();
  const dialog = office.getByRole("dialog", { name: "Talk" });
  await dialog.getByText("Nice <b>work</b>").waitFor();
  await dialog.getByText("A comment by Ada").waitFor();
  await dialog.getByRole("button", { name: "Show comment" }).click();
  await dialog.getByRole("button", { name: "Reopen" }).waitFor();

  await page.reload();
  await page.getByRole("slider", { name: "Seek" }).waitFor({ state: "attached" });
  await section.getByRole("link", { name: "Comments" }).click();
  await section.getByText("Nice <b>work</b>").waitFor();
  await section.getByRole("link", { name: "Report the comment by Ada" }).click();
  await page.getByRole("heading", { name: "Report a comment" }).waitFor();
  await page.getByLabel("Violence or hatred").check();
  await page.getByRole("button", { name: "Send report" }).click();
  await page.getByText("Thank you.").waitFor();

  await office.reload();
  await office.getByRole("button", { name: "Open the report about Talk" }).click();
  await dialog.getByRole("button", { name: "Remove comment" }).click();
  await dialog.getByRole("button", { name: "Reopen" }).waitFor();
  await page.goto("/comments/talk");
  await page.getByText("No comments yet.").waitFor();
});

it("retains the text and the focus if a comment can't be sent", async () => {
  const owner = createClient(app.url, await app.signIn("OWNER"));
  await owner.call("POST", "/api/settings", { comments: "open" });
  const { page } = await openVisitor(app.url, { expectProblems: /500/ });
  await page.goto("/comments/talk");
  const [field, button] = [
    page.getByRole("textbox", { name: /^Comment/ }),
    page.getByRole("button", { name: "Send comment" }),
  ];
  let sent = 0;
  await page.route("**/api/videos/talk/comments", async (route) => {
    sent += 1;
    await page.getByRole("button", { name: "Sending..." }).waitFor();
    // The form ignores a second press.
    await page.keyboard.press("Enter");
    await route.fulfill({ status: 500, json: {} });
  });
  await field.fill("Long thoughts");
  await button.focus();
  await page.keyboard.press("Enter");
  await page.getByText("Couldn't send your comment.").waitFor();
  await button.and(page.locator(":focus")).waitFor();
  expect([await field.inputValue(), sent]).toEqual(["Long thoughts", 1]);
});

it("accepts and shows comments without scripts, in open comments with filters", async () => {
  const owner = createClient(app.url, await app.signIn("OWNER"));
  await owner.call("POST", "/api/settings", { comments: "open", commentWords: ["casino"] });
  const visitor = await openVisitor(app.url, { ...phone, javaScriptEnabled: false });
  const { page } = visitor;
  await serveThumbnails(page);
  await page.goto("/video/talk");
  await page.getByRole("link", { name: "Comments" }).click();
  const write = async (words: string) => {
    await page.getByRole("textbox", { name: /^Comment/ }).fill(words);
    await page.getByRole("button", { name: "Send comment" }).click();
  };
  await write("Best casino");
  await page.getByText("Your comment will appear once a moderator approves it.").waitFor();
  await write("By form");
  await page.getByText("Comment posted.").waitFor();
  await expect
    .poll(async () => {
      await page.goto("/comments/talk");
      return page.getByText("By form").count();
    })
    .toBe(1);
  await page.getByRole("link", { name: "Report the comment by Anonymous" }).click();
  await page.getByLabel("Spam or misleading").check();
  await page.getByRole("button", { name: "Send report" }).click();
  await page.getByText("Thank you.").waitFor();
  await visitor.close();

  const reader = await openVisitor(app.url, { ...phone, reducedMotion: "reduce" });
  await serveThumbnails(reader.page);
  await reader.page.goto("/comments/talk");
  await reader.page.getByText("By form").waitFor();
  await reader.close();
  const queue = (await owner.call("GET", "/api/admin/reports?kind=comment&state=open")).json;
  expect(queue.reports.map(({ reason }: { reason: string }) => reason)).toEqual([
    "held",
    "misleading",
  ]);
  const { page: office } = await openAdmin(app, { path: "/admin/safety" });
  await office.getByLabel("Words that hold a comment").waitFor();
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "../../test/app.ts";
import { makeUser, testOrigin, testPassword } from "../../test/factories/make-user.ts";
import { makeVideo } from "../../test/factories/make-video.ts";
import { openAdmin, provoked } from "../support/admin-support.ts";
import { expectAccessible } from "../support/accessible.ts";
import { closeVisitors, expectNoProblems, openVisitor, phone } from "../support/browser.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  await makeVideo(app.database.db, { title: "Harbour" });
});
afterAll(async () => {
  await closeVisitors();
  await app.stop();
});

it("invites an editor by link, who joins on a phone and sees only what an editor may", async () => {
  const owner = await openAdmin(app, { path: "/admin/people" });
  const { page } = owner;
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByLabel("Email").fill("ed@example.com");
  await page.getByRole("radio", { name: "Editor" }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Invite", exact: true }).click();
  const link = await page.getByRole("textbox", { name: "Invitation link" }).inputValue();
  await expectAccessible(page, "[role=dialog]");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("table", { name: "Open invitations" }).getByText("ed@example.com").waitFor();

  const editor = await openVisitor(app.url, { ...phone, expectProblems: provoked });
  await editor.page.goto(link);
  await editor.page.getByLabel("Name").fill("Édith עברית <b>");
  await editor.page.getByLabel("Password", { exact: true }).fill("a good password");
  await expectAccessible(editor.page);
  await editor.page.getByRole("button", { name: "Create account" }).click();
  await editor.page.getByRole("heading", { name: "Dashboard" }).waitFor();
  await editor.page.goto("/admin/videos");
  await editor.page.getByRole("button", { name: "Upload Video" }).waitFor();
  await editor.page.getByRole("button", { name: "Open menu" }).click();
  const links = await editor.page.getByRole("dialog").getByRole("link").allTextContents();
  expect(links).toEqual(expect.arrayContaining(["Dashboard", "Videos", "Tags"]));
  expect(links).not.toContain("Settings");
  expect(links).not.toContain("People");
  await editor.page.goto("/admin/settings");
  await editor.page.getByRole("heading", { name: "Access Denied" }).waitFor();
  await editor.page.getByText("EDITOR", { exact: true }).waitFor();
  await editor.page.getByRole("button", { name: "Sign Out" }).click();
  await editor.page.waitForURL("**/auth/signin");

  await page.reload();
  await page.getByText("Édith עברית <b>").waitFor();
  expect(await page.getByRole("table", { name: "Open invitations" }).count()).toBe(0);
  expectNoProblems(owner);
  await owner.close();
  await editor.close();
});

it("ends a session in use, changes a role, disables and removes", async () => {
  const { id, email } = await makeUser(app.database.db, { role: "EDITOR", name: "" });
  const { token } = await app.context.auth.signIn(email, testPassword, testOrigin);
  const session = createClient(app.url, `session=${token}`);
  const stream = await fetch(`${app.url}/api/admin/events`, {
    headers: { cookie: `session=${token}` },
  });
  const ended = stream.text();

  const owner = await openAdmin(app, { path: "/admin/people" });
  const { page } = owner;
  const act = async (entry: string) => {
    await page.getByRole("button", { name: `Manage ${email}` }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await act("Sessions");
  await page.getByRole("button", { name: "End session: Unknown device" }).click();
  await page.getByText("Signed in nowhere.").waitFor();
  await ended;
  expect((await session.call("GET", "/api/admin/videos")).status).toBe(401);
  await page.getByRole("button", { name: "Done" }).click();

  await act("Change role");
  await page.getByRole("radio", { name: "Analyst" }).check();
  await page.getByRole("button", { name: "Change role" }).click();
  await page.getByText(`${email} is now Analyst`).waitFor();
  await act("Disable");
  await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click();
  await page.getByText(`${email} is disabled`).waitFor();
  await expectAccessible(page);
  await act("Remove");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText(`${email} is removed`).waitFor();
  const row = await app.database.db.selectFrom("users").where("id", "=", id).executeTakeFirst();
  expect(row).toBeUndefined();
  expectNoProblems(owner);
  await owner.close();
});

import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { codeOf, makeClip, openAdmin, signInOn } from "../support/admin-support.ts";
import { openVisitor, phone, provoked } from "../support/browser.ts";
import { useMailServer } from "../support/mail-server.ts";
import { usePages } from "../support/shared-site.ts";

const mail = useMailServer();
const app = usePages(() => ({ work: true, env: mail.env }));
beforeAll(async () => {
  await makeVideo(app.db, { title: "Harbour" });
});

it("invites an editor by link, who joins on a phone and sees only an editor's pages", async () => {
  const { page } = await openAdmin(app, { path: "/admin/people" });
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByLabel("Email").fill("ed@example.com");
  await page.getByRole("radio", { name: "Editor" }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Invite", exact: true }).click();
  const link = await page.getByRole("textbox", { name: "Invitation link" }).inputValue();
  await page.getByText("We emailed this link to ed@example.com").waitFor();
  expect(mail.inbox.join()).toContain(new URL(link).search);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("table", { name: "Open invitations" }).getByText("ed@example.com").waitFor();

  const editor = await openVisitor(app.url, { ...phone, expectProblems: provoked });
  await editor.page.goto(link);
  await editor.page.getByLabel("Name").fill("Édith עברית <b>");
  await editor.page.getByLabel("Password", { exact: true }).fill("a good password");
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
  await editor.page.getByRole("button", { name: "Sign Out", exact: true }).click();
  await editor.page.waitForURL("**/auth/signin");

  await page.reload();
  await page.getByText("Édith עברית <b>").waitFor();
  await expect.poll(() => page.getByRole("table", { name: "Open invitations" }).count()).toBe(0);
});

it("guides a new editor from the invitation to the first upload", async () => {
  const owner = createClient(app.url, await app.signIn("OWNER"));
  const invited = await owner.call("POST", "/api/admin/people/invitations", {
    email: "first@example.com",
    role: "EDITOR",
  });
  const clip = join(app.dataDir, "first-steps.mp4");
  await makeClip(clip);
  const { page } = await openVisitor(app.url, { expectProblems: provoked });
  await page.goto(invited.json.path);
  await page.getByLabel("Name").fill("First");
  await page.getByLabel("Password", { exact: true }).fill("rather unusual words");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();

  await page.getByRole("link", { name: "Videos", exact: true }).click();
  await page.getByRole("button", { name: "Upload Video" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Upload Video" });
  await dialog.locator("input[type=file]").first().setInputFiles(clip);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByLabel("Title").fill("First steps");
  await dialog.getByLabel("Tags").fill("beginning");
  await dialog.getByRole("button", { name: "Upload Video" }).click();
  await page.getByText("Video uploaded successfully").waitFor();
  const row = page.getByRole("row").filter({ hasText: "First steps" });
  await row.getByRole("button", { name: "Draft", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
  await row.getByText("Published", { exact: true }).waitFor();
  const read = () =>
    fetch(`${app.url}/api/videos/first-steps`).then(async (response) => {
      const { status, tags } = await response.json();
      return { status, tags };
    });
  await expect
    .poll(read)
    .toMatchObject({ status: "ready", tags: [{ tag: { name: "beginning" } }] });
  const { json } = await owner.call("GET", "/api/admin/audit?user=first@example.com&entity=video");
  expect(json.entries.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(["video.uploaded", "video.published"]),
  );
});

it("ends an active session, changes a role, and disables and removes a user", async () => {
  const { id, email } = await makeUser(app.db, { role: "EDITOR", name: "" });
  const { token } = await app.context.auth.signIn(email, testPassword, testOrigin);
  const session = createClient(app.url, `session=${token}`);
  const stream = await fetch(`${app.url}/api/admin/events`, {
    headers: { cookie: `session=${token}` },
  });
  const ended = stream.text();

  const { page } = await openAdmin(app, { path: "/admin/people" });
  const act = async (entry: string) => {
    await page.getByRole("button", { name: `Manage ${email}` }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await act("Sessions");
  await page.getByRole("button", { name: "End session: Unknown device" }).click();
  await page.getByText("Not signed in anywhere.").waitFor();
  await ended;
  expect((await session.call("GET", "/api/admin/videos")).status).toBe(401);
  await page.getByRole("button", { name: "Done" }).click();

  await act("Change role");
  const analyst = page.getByRole("radio", { name: "Analyst" });
  await analyst.check();
  // WebKitGTK would paint its own radio buttons white on dark pages.
  expect(await analyst.evaluate((radio) => getComputedStyle(radio).appearance)).toBe("none");
  await page.getByRole("button", { name: "Change role" }).click();
  await page.getByText(`${email} is now Analyst`).waitFor();
  await act("Disable");
  await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click();
  await page.getByText(`${email} is disabled`).waitFor();
  await act("Remove");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText(`Removed ${email}`).waitFor();
  const row = await app.db.selectFrom("users").where("id", "=", id).executeTakeFirst();
  expect(row).toBeUndefined();
});

it("asks for a code from an app, and takes a recovery code when the phone is lost", async () => {
  const admin = await openAdmin(app, { path: "/admin/account", expectProblems: provoked });
  const { page, email } = admin;
  await page.getByRole("button", { name: "Set up an app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("img", { name: "QR code of the key below" }).waitFor();
  const secret = await dialog.locator(".select-all").first().textContent();
  await dialog.getByRole("textbox", { name: "Code" }).fill("000000");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByText("This code is incorrect.").waitFor();
  await dialog.getByRole("textbox", { name: "Code" }).fill(codeOf(secret ?? ""));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await codes.first().waitFor();
  const [lost = ""] = await codes.allTextContents();
  await page.getByRole("button", { name: "I've saved them" }).click();
  await page.getByText("10 codes left.").waitFor();

  const browser = await openVisitor(app.url, { ...phone, expectProblems: provoked });
  await browser.page.goto("/auth/signin");
  await signInOn(browser.page, email);
  await browser.page.getByRole("heading", { name: "Two-factor sign-in" }).waitFor();
  await browser.page.getByLabel("Code").fill("<script>alert(1)</script> שלום");
  await browser.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await browser.page.getByText("This code is incorrect or has already been used.").waitFor();
  await browser.page.getByLabel("Code").fill(lost);
  await browser.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await browser.page.getByRole("heading", { name: "Dashboard" }).waitFor();

  // The other device ends the current session.
  await page.reload();
  await page.getByText("9 codes left.").waitFor();
  const others = page.getByRole("button", { name: /End session: Chrome/ });
  await others.first().click();
  await page.getByText("Session ended").waitFor();
  await browser.page.getByRole("heading", { name: "Your session has ended" }).waitFor();
});

it("signs in with a passkey, without the password", async () => {
  const url = app.url.replace("127.0.0.1", "localhost");
  const { page } = await openAdmin(app, { url, path: "/admin/account", expectProblems: provoked });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Passkey name").fill("مفتاح <b>");
  await dialog.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "I've saved them" }).click();
  await page.getByText("مفتاح <b>").waitFor();
  await page.getByRole("button", { name: "Sign Out", exact: true }).click();
  await page.waitForURL("**/auth/signin");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();

  await page.goto("/admin/account");
  await page.getByRole("button", { name: "Remove مفتاح <b>" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("Passkey removed").waitFor();
});

it("resets a forgotten password by e-mail", async () => {
  const { email } = await makeUser(app.db, { role: "EDITOR" });
  const { page } = await openVisitor(app.url, { expectProblems: provoked });
  await page.goto("/auth/signin");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.waitForURL("**/auth/forgot");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("we've sent it a link").waitFor();
  const links = () =>
    mail.inbox
      .filter((message) => message.includes(email))
      .flatMap((message) => message.match(/\/auth\/reset\?token=[\w.-]+/) ?? []);
  await expect.poll(() => links().length).toBe(1);
  const [path = ""] = links();
  await page.goto(path);
  await page.getByLabel("New password", { exact: true }).fill("password123");
  await page.getByRole("button", { name: "Save password" }).click();
  await page.getByText("This password is too common.").waitFor();
  await page.getByLabel("New password", { exact: true }).fill("rather unusual words");
  await page.getByRole("button", { name: "Save password" }).click();
  await page.getByText("Password changed.").waitFor();
  await page.goto("/auth/signin");
  await signInOn(page, email, "rather unusual words");
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
});

it("creates an API token that a small program uses", async () => {
  const admin = await openAdmin(app, { ...phone, path: "/admin/account" });
  const { page } = admin;
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Nightly \u202e<img src=x>");
  await dialog.getByLabel("View every video").check();
  await dialog.getByRole("button", { name: "New token" }).click();
  const token = await page.getByRole("textbox", { name: "New token" }).inputValue();
  const seen = await fetch(`${app.url}/api/admin/videos`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(seen.status).toBe(200);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("View every video, including drafts").waitFor();
  await page.getByRole("button", { name: /^Remove Nightly/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("Token removed").waitFor();
});

import { expect, it } from "vitest";
import type { Page } from "playwright-core";
import { createClient } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { codeOf, openAdmin, signInOn } from "../support/admin-support.ts";
import { openVisitor, phone, provoked } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();

it("changes its own name, email and password, and signs out everywhere", async () => {
  const taken = await makeUser(app.db);
  const admin = await openAdmin(app, { path: "/admin/account", expectProblems: provoked });
  const { page, email } = admin;
  const other = createClient(app.url);
  const signInOther = (as: string, password: string) =>
    other.call("POST", "/api/auth/signin", { email: as, password });

  await page.getByLabel("Name", { exact: true }).fill("Ada שלום <b>");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByText("Name saved").waitFor();

  const address = page.getByRole("region", { name: "Email" });
  await address.getByLabel("Email").fill(taken.email);
  await address.getByRole("button", { name: "Change email" }).click();
  // Another account has this email address.
  await expect.poll(() => address.getByLabel("Email").getAttribute("aria-invalid")).toBe("true");
  await address.getByLabel("Email").fill("ada.changed@example.com");
  await address.getByRole("button", { name: "Change email" }).click();
  await page.getByText("Email changed").waitFor();
  expect((await signInOther(email, testPassword)).status).toBe(401);
  expect((await signInOther("ada.changed@example.com", testPassword)).status).toBe(200);

  const password = page.getByRole("region", { name: "Password", exact: true });
  await password.getByLabel("Current password").fill(testPassword);
  await password.getByLabel("New password").fill("password123");
  await password.getByRole("button", { name: "Change password" }).click();
  await password.getByText("This password is too common.").waitFor();
  await password.getByLabel("New password").fill("rather unusual words");
  await password.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed. You've been signed out everywhere else.").waitFor();
  expect((await other.call("GET", "/api/account")).status).toBe(401);

  expect((await signInOther("ada.changed@example.com", "rather unusual words")).status).toBe(200);
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.waitForURL("**/auth/signin**");
  expect((await other.call("GET", "/api/account")).status).toBe(401);
  await page.goto("/auth/signin");
  await signInOn(page, "ada.changed@example.com", "rather unusual words");
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
});

it("requires a second factor, and lets users in once they have added one", async () => {
  const owner = await openAdmin(app, { path: "/admin/people", expectProblems: provoked });
  const rule = owner.page.getByRole("switch", { name: "Require two-factor sign-in" });
  await rule.click();
  // Only users with a second factor can switch it on.
  await owner.page.getByText(/^Failed to save/).waitFor();
  await expect.poll(() => rule.isChecked()).toBe(false);

  await owner.page.goto("/admin/account");
  await addApp(owner.page);
  await owner.page.goto("/admin/people");
  await rule.click();
  await owner.page.getByText("Saved", { exact: true }).waitFor();
  await expect.poll(() => rule.isChecked()).toBe(true);

  const { email } = await makeUser(app.db, { role: "EDITOR" });
  const { token } = await app.context.auth.signIn(email, testPassword, testOrigin);
  const session = createClient(app.url, `session=${token}`);
  const { page } = await openVisitor(app.url, { ...phone, expectProblems: provoked });
  await page.goto("/auth/signin");
  await signInOn(page, email);
  await page
    .getByText(
      "This site requires two-factor sign-in. Add an authenticator app or a passkey to continue.",
    )
    .waitFor();
  // The dashboard refuses access and redirects to the account page.
  await expect.poll(() => new URL(page.url()).pathname).toBe("/admin/account");
  expect((await session.call("GET", "/api/admin/videos")).status).toBe(403);
  await addApp(page);
  await page.goto("/admin/videos");
  await page.getByRole("heading", { name: "Manage Videos" }).waitFor();
  await page.getByText("No videos found.").waitFor();

  await rule.click();
  await expect.poll(() => rule.isChecked()).toBe(false);
});

it("asks for the password before it changes access, then continues by itself", async () => {
  const admin = await openAdmin(app, { path: "/admin/account", expectProblems: provoked });
  const { page, email } = admin;
  const expireConfirmations = () =>
    app.db
      .updateTable("sessions")
      .set({ confirmed_at: new Date(0) })
      .execute();
  await expireConfirmations();
  const address = page.getByRole("region", { name: "Email" });
  await address.getByLabel("Email").fill("confirmed@example.com");
  await address.getByRole("button", { name: "Change email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm it's you" });
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText(/^Failed to change the email/).waitFor();

  await address.getByRole("button", { name: "Change email" }).click();
  await dialog.getByLabel("Password").fill("not the password");
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await dialog.getByText("The current password is incorrect.").waitFor();
  await dialog.getByLabel("Password").fill(testPassword);
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByText("Email changed").waitFor();
  expect(email).not.toBe("confirmed@example.com");

  // No password is required again for some minutes.
  await page.getByRole("button", { name: "New token" }).click();
  const token = page.getByRole("dialog", { name: "New token" });
  await token.getByLabel("Name").fill("Program");
  await token.getByRole("checkbox").first().check();
  await token.getByRole("button", { name: "New token" }).click();
  await page.getByText("Copy it now. It won't be shown again.").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.goto("/admin/people");
  const tokens = page.getByRole("table", { name: "API tokens" });
  await tokens.getByText("Program").waitFor();
  await expireConfirmations();
  await tokens.getByRole("button", { name: "Revoke Program of confirmed@example.com" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await dialog.getByLabel("Password").fill(testPassword);
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByText("Token revoked").waitFor();
  await page.getByText("No user has an API token.").waitFor();
});

/** Adds an authenticator app on the account page. */
async function addApp(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Set up an app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("img", { name: "QR code of the key below" }).waitFor();
  const secret = await dialog.locator(".select-all").first().textContent();
  await dialog.getByRole("textbox", { name: "Code" }).fill(codeOf(secret ?? ""));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("button", { name: "I've saved them" }).click();
  await page.getByText("10 codes left.").waitFor();
}

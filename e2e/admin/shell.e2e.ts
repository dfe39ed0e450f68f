import { expect, it } from "vitest";
import { testPassword } from "#test/factories/make-user.ts";
import { makeDraft, makeVideo } from "#test/factories/make-video.ts";
import { openAdmin, signInOn } from "../support/admin-support.ts";
import { openVisitor, screens, provoked } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();

it("keeps the back office's scripts from visitors", async () => {
  const { slug } = await makeVideo(app.db, {
    progressive_key: null,
    thumbnail_key: null,
  });
  const { page } = await openVisitor(app.url, { expectProblems: /./ });
  const scripts = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.add(request.url());
  });
  for (const path of ["/home", "/trending", `/video/${slug}`, "/"]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
  }
  expect(scripts.size).toBeGreaterThan(1);
  const words = /Manage Videos|Failed to load dashboard stats|Drop your video file here/;
  const telling: string[] = [];
  for (const url of scripts) {
    if (words.test(await (await fetch(url)).text())) telling.push(url);
  }
  expect(telling).toEqual([]);
});

it("scrolls the menu to the current page, and opens pages and videos by Ctrl-K alone", async () => {
  await makeDraft(app.db, { title: "Palette lighthouse", thumbnail_key: null });
  const { page } = await openAdmin(app, { path: "/admin/audit" });
  const field = page.getByRole("combobox", { name: "Search pages, actions and videos" });
  const current = page.getByRole("navigation", { name: "Admin" }).locator("[aria-current]");
  const isOnScreen = () =>
    current.evaluate((entry) => entry.getBoundingClientRect().bottom <= window.innerHeight);
  await expect.poll(isOnScreen).toBe(true);
  await page.keyboard.press("Control+k");
  await field.waitFor();
  await page.keyboard.type("cat");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/categories");
  await page.keyboard.press("Control+k");
  // The dialog starts empty and focused, even while the previous one fades out.
  await page.locator("[role=dialog]:not([data-closed])").waitFor();
  await page.keyboard.type("lighthouse");
  await page.getByRole("option", { name: "Palette lighthouse" }).waitFor();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit Video" });
  await expect.poll(() => dialog.getByLabel("Title").inputValue()).toBe("Palette lighthouse");
});

it("fits the menu on a laptop, scrolls Settings as one page, and hides button names below dialogs", async () => {
  await makeDraft(app.db, { title: "Under a dialog", thumbnail_key: null });
  const { page } = await openAdmin(app, { viewport: screens.laptop, path: "/admin/settings" });
  await page.getByRole("button", { name: "Save Settings" }).waitFor();
  const scrolling = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("nav, nav *, main, main *, body, html")]
        .filter((element) => {
          const { overflowY } = getComputedStyle(element);
          const canScroll = /auto|scroll/.test(overflowY) || element === document.documentElement;
          const isText = element.matches("textarea, select, iframe");
          return canScroll && !isText && element.scrollHeight > element.clientHeight + 1;
        })
        .map(({ tagName }) => tagName),
    );
  await expect.poll(scrolling).toEqual(["HTML"]);
  await page.goto("/admin/videos");
  const edit = page.getByRole("button", { name: "Edit Under a dialog" });
  // A locator by role doesn't find the button below the dialog.
  const element = await edit.elementHandle();
  await edit.hover();
  const shownName = () =>
    element?.evaluate((button) => {
      const { content, display } = getComputedStyle(button, "::after");
      return content !== "none" && display !== "none";
    });
  await expect.poll(shownName).toBe(true);
  await edit.click();
  await page.getByRole("dialog", { name: "Edit Video" }).waitFor();
  expect(await shownName()).toBe(false);
});

it("fits a table onto a phone, and folds its filters, so that the list begins on the first screen", async () => {
  const title = "A_title_without_any_place_to_break_it_that_is_wider_than_a_phone";
  await makeDraft(app.db, { title, status: "processing", progress: 0.2, thumbnail_key: null });
  const { page } = await openAdmin(app, { viewport: screens.phone, path: "/admin/videos" });
  const row = page.getByRole("row").filter({ hasText: title });
  for (const part of [row, row.getByLabel(`Select ${title}`)]) {
    await part.waitFor();
    const box = await part.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(screens.phone.width);
  }
  expect((await row.boundingBox())?.y).toBeLessThan(260);
  // A phone shows only the headings that do something.
  const selectAll = page.getByLabel("Select all on this page");
  expect((await selectAll.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await selectAll.check();
  await expect.poll(() => row.getByLabel(`Select ${title}`).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Stats" }).click();
  await page.waitForURL("**/admin/videos?sort=*");
  await page.getByRole("button", { name: "Clear" }).click();
  const filters = page.getByRole("button", { name: "Filters", exact: true });
  expect(await page.getByLabel("Status").isVisible()).toBe(false);
  await filters.click();
  await page.getByLabel("Status").selectOption("draft");
  await page.waitForURL("**/admin/videos?*state=draft");
  await page.getByRole("button", { name: "Filters (1)" }).click();
  expect(await page.getByLabel("Status").isVisible()).toBe(false);
  await row.waitFor();
  await app.db.deleteFrom("videos").where("title", "=", title).execute();
});

it("scrolls focused controls of a table clear of its heading and of the bulk bar", async () => {
  for (let at = 0; at < 10; at += 1) {
    await makeDraft(app.db, { title: `Long list ${at}`, thumbnail_key: null });
  }
  const viewport = { width: 1280, height: 600 };
  const { page } = await openAdmin(app, { viewport, path: "/admin/videos" });
  await page.getByLabel("Select Long list 9").check();
  await page.getByRole("region", { name: "Bulk actions" }).waitFor();
  const covered = await page.evaluate(() => {
    const table = document.querySelector(".data-table");
    const controls = [
      ...(table?.querySelectorAll<HTMLElement>("tbody :is(a, button, input)") ?? []),
    ];
    const bars = [...document.querySelectorAll("thead th, [data-end-bar]")];
    return [...controls, ...controls.toReversed()].filter((control) => {
      control.focus();
      const { top, bottom } = control.getBoundingClientRect();
      return bars
        .map((bar) => bar.getBoundingClientRect())
        .some((bar) => top < bar.bottom - 1 && bottom > bar.top + 1);
    }).length;
  });
  expect(covered).toBe(0);
});

it("asks to sign in again when the session has ended, and loses nothing that was typed", async () => {
  const draft = await makeDraft(app.db, { title: "Before the end", thumbnail_key: null });
  const admin = await openAdmin(app, { expectProblems: provoked });
  const { page } = admin;
  await page.goto(`/admin/videos?edit=${draft.id}`);
  const dialog = page.getByRole("dialog", { name: "Edit Video" });
  await dialog.getByLabel("Title").fill("Typed before the end");
  await app.db.deleteFrom("sessions").execute();
  await dialog.getByRole("button", { name: "Update Video" }).click();
  const again = page.getByRole("dialog", { name: "Your session has ended" });
  await again.locator("[type=password]:focus").waitFor();
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog");
  await question.getByText("Discard your changes?").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await again.getByLabel("Password").fill("wrong password");
  await again.getByRole("button", { name: "Sign in" }).click();
  await again.getByText("Invalid credentials").waitFor();
  await again.getByLabel("Password").fill(testPassword);
  await again.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Video updated successfully").waitFor();
  const row = await app.db
    .selectFrom("videos")
    .select("title")
    .where("id", "=", draft.id)
    .executeTakeFirstOrThrow();
  expect(row.title).toBe("Typed before the end");
  // A page opened after the end asks only once.
  await app.db.deleteFrom("sessions").execute();
  await page.goto("/admin");
  await page.waitForURL("**/auth/signin?next=%2Fadmin");
  await signInOn(page, admin.email);
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await again.count()).toBe(0);
});

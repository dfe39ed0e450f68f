import type { Locator, Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin } from "../support/admin-support.ts";
import { shareSite } from "../support/shared-site.ts";

let id = "";
const site = shareSite(async (app) => {
  ({ id } = await makeVideo(app.db, { title: "Harbour", thumbnail_key: null }));
});

const questionOf = (page: Page) => page.getByRole("alertdialog", { name: "Discard your changes?" });

/** Does something that would lose the text of `field`, and cancels it. */
async function expectQuestion(page: Page, field: Locator, lose: () => Promise<unknown>) {
  const text = await field.inputValue();
  await lose();
  await questionOf(page).getByRole("button", { name: "Cancel" }).click();
  await questionOf(page).waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe(text);
}

async function discard(page: Page, lose: () => Promise<unknown>) {
  await lose();
  await questionOf(page).getByRole("button", { name: "Discard" }).click();
  await questionOf(page).waitFor({ state: "detached" });
}

/** Holds back the next request that `send` makes, while `type` runs. */
async function typeDuring(page: Page, path: string, send: Locator, type: () => Promise<unknown>) {
  const arrived = Promise.withResolvers<Route>();
  await page.route(path, (route) =>
    route.request().method() === "GET" ? route.continue() : arrived.resolve(route),
  );
  await send.click();
  const route = await arrived.promise;
  await type();
  await route.continue();
  await page.unroute(path);
}

it("asks before switching the language of a translation, and keeps what is typed while it saves", async () => {
  const { page } = await openAdmin(site.app, { path: `/admin/videos/${id}` });
  const section = page.getByRole("region", { name: "Translations" });
  const language = section.getByRole("combobox", { name: "Language" });
  const title = section.getByLabel("Translated title");
  await title.fill("Hafen");
  await expectQuestion(page, title, () => language.selectOption("ar"));
  expect(await language.inputValue()).toBe("de");
  const save = section.getByRole("button", { name: "Save translation" });
  await typeDuring(page, "**/api/videos/*", save, () => title.fill("Hafen am Abend"));
  await page.getByText("Translation saved").waitFor();
  await save.waitFor();
  await expect.poll(() => save.isEnabled()).toBe(true);
  expect(await title.inputValue()).toBe("Hafen am Abend");
  await discard(page, () => language.selectOption("ar"));
  await language.selectOption("de");
  await expect.poll(() => title.inputValue()).toBe("Hafen");
});

it("asks before leaving an unsaved page text, and preserves input typed during a save", async () => {
  const { page } = await openAdmin(site.app, { path: "/admin/settings/texts" });
  const editor = page.getByRole("form").first();
  const name = (await editor.getAttribute("aria-label")) ?? "";
  const own = editor.getByLabel("Your text");
  const search = page.getByRole("searchbox", { name: "Search texts" });
  await own.fill("Mine");
  await expectQuestion(page, own, () =>
    page.getByRole("combobox", { name: "Language" }).selectOption("de"),
  );
  await expectQuestion(page, own, () => page.getByLabel("Rows per page").selectOption("100"));
  await expectQuestion(page, own, () => search.fill(name));
  const save = editor.getByRole("button", { name: "Save" });
  await typeDuring(page, "**/api/admin/texts/**", save, () => own.fill("Mine again"));
  await page.getByText("Text saved").waitFor();
  await editor.getByRole("button", { name: "Reset" }).waitFor();
  expect(await own.inputValue()).toBe("Mine again");
  await discard(page, () => search.press("Enter"));
  await page.waitForURL((url) => url.searchParams.get("search") === name);
  await expect.poll(() => own.inputValue()).toBe("Mine");
});

it("asks before it closes a report with an unsaved note", async () => {
  const visitor = createClient(site.url);
  const body = { reason: "other", text: "It shows my garden." };
  const sent = await visitor.call("POST", `/api/videos/${id}/reports`, body);
  expect(sent.status).toBeLessThan(300);
  const { page } = await openAdmin(site.app, { path: "/admin/reports" });
  await page.getByRole("button", { name: "Open the report about Harbour" }).click();
  const report = page.getByRole("dialog", { name: "Harbour" });
  const note = report.getByLabel("Add note");
  await note.fill("Asked the uploader");
  await expectQuestion(page, note, () => page.keyboard.press("Escape"));
  const add = report.getByRole("button", { name: "Add note" });
  await typeDuring(page, "**/notes", add, () => note.fill("Waiting for a reply"));
  await report.getByText("Asked the uploader", { exact: true }).waitFor();
  await expect.poll(() => add.isEnabled()).toBe(true);
  expect(await note.inputValue()).toBe("Waiting for a reply");
  await discard(page, () => page.keyboard.press("Escape"));
  await report.waitFor({ state: "detached" });
});

// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { OwnPage } from "#contract/site/own-pages.ts";
import { fill, press } from "#test/harness/press.ts";
import { failure, type Reply } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const about = (values: Partial<OwnPage> = {}): OwnPage => ({
  id: "22222222-2222-4222-8222-222222222222",
  address: "about",
  place: "footer",
  isPublished: true,
  isIndexed: true,
  texts: { en: { title: "About", markdown: "Hello" } },
  version: 3,
  ...values,
});
const help = about({
  id: "33333333-3333-4333-8333-333333333333",
  address: "help",
  texts: { de: { title: "Hilfe", markdown: "Hallo" } },
});

const open = (replies: Record<string, Reply> = {}) =>
  openAdminPage("/admin/pages", { "GET /api/admin/pages": { pages: [about(), help] }, ...replies });

it("adds a page in two languages, with a preview", async () => {
  const { server } = await open();
  await screen.findByText("Hilfe");
  press("Add page");
  const dialog = await screen.findByRole("dialog", { name: "Add page" });
  fill(/^Address after/, "terms", dialog);
  fill("Title", "Rules", dialog);
  fill("Text (Markdown)", "Be *kind*", dialog);
  server.reply("POST /api/admin/pages/preview", { html: "<p>Be <em>kind</em></p>" });
  press("Preview", dialog);
  const preview = await within(dialog).findByRole("region", { name: "Preview" });
  await within(preview).findByText("kind");
  fill(/^Language/, "de", dialog);
  fill("Title", "Regeln", dialog);
  server.reply("POST /api/admin/pages", failure(400, "“terms” is the address of a page."));
  press("Save page", dialog);
  await waitFor(() => expect(server.sentTo("POST /api/admin/pages")).toHaveLength(1));
  fill(/^Address after/, "rules", dialog);
  server.reply("POST /api/admin/pages", Response.json(about(), { status: 201 }));
  press("Save page", dialog);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.sentTo("POST /api/admin/pages").at(-1)?.body).toEqual({
    address: "rules",
    place: "footer",
    isPublished: false,
    isIndexed: true,
    texts: {
      en: { title: "Rules", markdown: "Be *kind*" },
      de: { title: "Regeln", markdown: "" },
    },
  });
});

it("moves pages by hand and shows what visitors get", async () => {
  const { server } = await open();
  await screen.findByText("Hilfe");
  expect(screen.getAllByText(/In the footer/)).toHaveLength(2);
  server.reply("PUT /api/admin/pages/order", { pages: [help, about()] });
  press("Move Hilfe up");
  await screen.findByText("Hilfe: 1 of 2");
  expect(server.sentTo("PUT /api/admin/pages/order")[0]?.body).toEqual({
    ids: [help.id, about().id],
  });
});

it("merges the texts of two editors, and asks about a text that both changed", async () => {
  const { server } = await open();
  await screen.findByText("Hilfe");
  press("Edit About");
  const dialog = await screen.findByRole("dialog", { name: "Edit page" });
  fill("Text (Markdown)", "Mine", dialog);
  fill(/^Language/, "de", dialog);
  fill("Title", "Über uns", dialog);
  const put = `PUT /api/admin/pages/${about().id}`;
  const theirs = about({
    place: "menu",
    texts: { en: { title: "About", markdown: "Theirs" } },
    version: 4,
  });
  server.reply(put, failure(409, "Someone else changed this page.", "edit_conflict"));
  server.reply("GET /api/admin/pages", { pages: [theirs, help] });
  press("Save page", dialog);
  const conflict = await within(dialog).findByRole("alert", { name: "Edit conflict" });
  within(conflict).getByText("Theirs", { selector: ".flex-1" });
  server.reply(put, theirs);
  press("Keep mine: Text (English)", dialog);
  press("Save page", dialog);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.sentTo(put).at(-1)?.body).toEqual({
    address: "about",
    place: "menu",
    isPublished: true,
    isIndexed: true,
    texts: {
      en: { title: "About", markdown: "Mine" },
      de: { title: "Über uns", markdown: "" },
    },
    version: 4,
  });
});

it("shows the language whose text was refused", async () => {
  const { server } = await open();
  await screen.findByText("Hilfe");
  press("Edit About");
  const dialog = await screen.findByRole("dialog", { name: "Edit page" });
  const issues = [{ path: "texts.de.title", message: "A page needs a title." }];
  server.reply(
    `PUT /api/admin/pages/${about().id}`,
    Response.json({ message: "Invalid", code: "invalid", issues }, { status: 400 }),
  );
  press("Save page", dialog);
  await within(dialog).findByText("A page needs a title.");
  expect(within(dialog).getByLabelText<HTMLSelectElement>(/^Language/).value).toBe("de");
});

// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { LabelItem } from "#contract/lists/labels.ts";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const list = "GET /api/categories";
const create = "POST /api/categories";

const labelOf = (name: string, at: number): LabelItem => ({
  id: `00000000-0000-4000-8000-00000000000${at}`,
  name,
  slug: name.toLowerCase().replaceAll(" ", "-"),
  description: null,
  imageUrl: null,
  coverUrl: null,
  isPodcast: false,
  videoCount: at,
  isSeries: false,
  createdAt: "2026-03-04T10:00:00.000Z",
});
const nature = labelOf("Nature", 0);
const space = labelOf("Outer space", 1);
const one = `/api/categories/${nature.id}`;

const rowOf = (name: string) => screen.findByRole("row", { name: new RegExp(name) });
const nameField = (dialog: HTMLElement) => within(dialog).getByLabelText<HTMLInputElement>(/^Name/);

async function openForm() {
  press("Add Category");
  return screen.findByRole("dialog", { name: "Add Category" });
}

it("says what to do while there are no categories", async () => {
  await openAdminPage("/admin/categories", { [list]: [] });
  await screen.findByText("No categories found.");
  screen.getByText("Create your first category!");
});

it("shows slug, description, number of videos and date of each category", async () => {
  const described = { ...space, description: "Far away" };
  await openAdminPage("/admin/categories", { [list]: [nature, described] });
  const row = within(await rowOf("Nature"));
  row.getByText("/nature");
  row.getByText("No description");
  row.getByText(new Date(nature.createdAt).toLocaleDateString());
  const videos = row.getByRole("link", { name: "0 videos" });
  expect(videos.getAttribute("href")).toBe("/admin/videos?category=nature");
  within(await rowOf("Outer space")).getByRole("link", { name: "1 video" });
  screen.getByText("Far away");
  const titles = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(titles).toEqual(["Category", "Description", "Videos", "Created", "Actions"]);
});

it("sorts names by the alphabet, and numbers in them by value", async () => {
  const names = ["Part 10", "Zoe", "Part 2", "Émile"];
  await openAdminPage("/admin/categories", { [list]: names.map(labelOf) });
  await rowOf("Zoe");
  const rows = screen.getAllByRole("row").map(({ textContent }) => textContent);
  const shown = rows.map((text) => names.find((name) => text.includes(name)) ?? "");
  expect(shown.filter((name) => name !== "")).toEqual(["Émile", "Part 2", "Part 10", "Zoe"]);
});

it.each([
  ["tags", "Manage Tags", "Add Tag"],
  ["actors", "Manage Actors", "Add Actor"],
])("manages %s like categories", async (kind, title, add) => {
  const script = "<img src=x onerror=alert(1)>";
  await openAdminPage(`/admin/${kind}`, { [`GET /api/${kind}`]: [labelOf(script, 1)] });
  screen.getByRole("heading", { level: 1, name: title });
  await screen.findByRole("button", { name: script });
  press(add);
  await screen.findByRole("dialog", { name: add });
});

it("trims the name and sends an empty description as null", async () => {
  const { server } = await openAdminPage("/admin/categories", { [list]: [], [create]: nature });
  const dialog = await openForm();
  fill(/^Name/, " Nature ", dialog);
  fill(/^Description/, "  ", dialog);
  server.reply(list, [nature]);
  press("Create", dialog);
  await rowOf("Nature");
  const sent = { name: "Nature", description: null, isSeries: false, isPodcast: false };
  expect(server.sentTo(create)[0]?.body).toEqual(sent);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("does nothing for an empty name, and resets the form on Cancel", async () => {
  const { server } = await openAdminPage("/admin/categories", { [list]: [] });
  const dialog = await openForm();
  fill(/^Name/, "   ", dialog);
  press("Create", dialog);
  press("Cancel", dialog);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(nameField(await openForm()).value).toBe("");
  expect(server.sentTo(create)).toEqual([]);
});

it("keeps what was typed after Failed to create category, and after a taken name", async () => {
  const { server } = await openAdminPage("/admin/categories", {
    [list]: [],
    [create]: failure(500, "no"),
  });
  const dialog = await openForm();
  fill(/^Name/, "Lost", dialog);
  press("Create", dialog);
  await screen.findByText("Failed to create category");
  expect(nameField(dialog).value).toBe("Lost");
  const taken = 'Category "lost" already exists.';
  server.reply(create, failure(409, taken, "conflict"));
  press("Create", dialog);
  await within(dialog).findByText(taken);
});

it("fills the form with the current values, and keeps it open after Failed to update category", async () => {
  const { server } = await openAdminPage("/admin/categories", {
    [list]: [nature],
    [`PUT ${one}`]: failure(500, "no"),
  });
  await rowOf("Nature");
  press("Edit Nature");
  const dialog = await screen.findByRole("dialog", { name: "Edit Category" });
  expect(nameField(dialog).value).toBe("Nature");
  fill(/^Description/, "Outside", dialog);
  press("Update", dialog);
  await screen.findByText("Failed to update category");
  // Another editor may have changed the other fields meanwhile.
  expect(server.sentTo(`PUT ${one}`)[0]?.body).toEqual({ description: "Outside" });
  expect(nameField(dialog).value).toBe("Nature");
});

it("deletes after a confirmation, and keeps the row after Failed to delete category", async () => {
  const { server } = await openAdminPage("/admin/categories", {
    [list]: [nature],
    [`DELETE ${one}`]: failure(500, "no"),
  });
  await rowOf("Nature");
  const question = "Are you sure you want to delete this category?";
  press("Delete Nature");
  await choose(question, "Cancel");
  press("Delete Nature");
  await choose(question, "Delete");
  await screen.findByText("Failed to delete category");
  await rowOf("Nature");
  expect(server.sentTo(`DELETE ${one}`)).toHaveLength(1);
  server.reply(`DELETE ${one}`, {});
  server.reply(list, []);
  press("Delete Nature");
  await choose(question, "Delete");
  await screen.findByText("No categories found.");
});

it("moves the focus to the next row when one is deleted, and to the heading after the last", async () => {
  const { server } = await openAdminPage("/admin/categories", {
    [list]: [nature, space],
    [`DELETE ${one}`]: {},
    [`DELETE /api/categories/${space.id}`]: {},
  });
  const deleteRow = async (name: string, others: readonly LabelItem[]) => {
    const button = screen.getByRole("button", { name: `Delete ${name}` });
    act(() => button.focus());
    fireEvent.click(button);
    server.reply(list, others);
    await choose("Are you sure you want to delete this category?", "Delete");
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: `Delete ${name}` })).toBeNull(),
    );
  };
  const focused = () =>
    document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent;
  await rowOf("Nature");
  await deleteRow("Nature", [space]);
  expect(focused()).toBe("Delete Outer space");
  await deleteRow("Outer space", []);
  expect(focused()).toBe("Manage Categories");
});

it("merges a category into another one, and reports a failure", async () => {
  const merge = `POST ${one}/merge`;
  const { server } = await openAdminPage("/admin/categories", {
    [list]: [nature, space],
    [merge]: failure(500),
  });
  await rowOf("Nature");
  press("Merge Nature");
  const dialog = await screen.findByRole("dialog", { name: "Merge Category" });
  fill(/^Merge into/, space.id, dialog);
  press("Merge Category", dialog);
  await screen.findByText("Failed to merge category: Unknown error");
  server.reply(merge, space);
  server.reply(list, [space]);
  press("Merge Category", dialog);
  await waitFor(() => expect(screen.queryByText("/nature")).toBeNull());
  expect(server.sentTo(merge).map(({ body }) => body)).toEqual([
    { into: space.id },
    { into: space.id },
  ]);
});

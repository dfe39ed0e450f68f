// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { hiddenPartsNotice } from "#contract/videos/hidden-parts.ts";
import { fill, press } from "#test/harness/press.ts";
import { failure, type Reply } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../../shared/admin-page.fixture.tsx";
import { adminVideo } from "../video.fixture.ts";

const tides = adminVideo();
const one = `/api/videos/${tides.id}`;
const read = `GET ${one}`;
const changed = {
  type: "video",
  id: tides.id,
  status: "ready",
  progress: 1,
  failureReason: null,
  isPublished: true,
  thumbnail: null,
  version: 1,
} as const;
const never = new Promise(() => {});

const open = (replies: Record<string, Reply> = {}, hash = "") =>
  openAdminPage(`/admin/videos/${tides.id}${hash}`, {
    [read]: tides,
    [`GET /api/admin/videos/${tides.id}/captions`]: never,
    [`GET /api/admin/videos/${tides.id}/files`]: never,
    [`GET /api/admin/videos/${tides.id}/origin`]: { origin: null },
    [`GET /api/admin/videos/${tides.id}/statistics`]: never,
    "GET /api/admin/audit": never,
    ...replies,
  });

it("preserves the text of a dialog if the video can't be loaded again", async () => {
  const { server, sendEvent } = await open();
  await screen.findByRole("heading", { name: "Tides" });
  press("Change address");
  const dialog = await screen.findByRole("dialog", { name: "Change address" });
  fill(/^Address after/, "spring-tides", dialog);
  server.reply(read, failure(404));
  sendEvent(changed);
  await waitFor(() => expect(server.sentTo(read)).toHaveLength(2));
  server.reply(read, { ...tides, title: "Neap tides" });
  sendEvent(changed);
  await screen.findByRole("heading", { name: "Neap tides", hidden: true });
  screen.getByDisplayValue("spring-tides");
});

it("sends a corrected address as soon as the first one is refused", async () => {
  const { server } = await open();
  const change = `PUT ${one}`;
  server.reply(change, failure(409, "Another video already uses it.", "conflict"));
  await screen.findByRole("heading", { name: "Tides" });
  press("Change address");
  const dialog = await screen.findByRole("dialog", { name: "Change address" });
  fill(/^Address after/, "taken", dialog);
  press("Change", dialog);
  await within(dialog).findByText("Another video already uses it.");
  server.reply(change, { ...tides, slug: "spring-tides" });
  fill(/^Address after/, "spring-tides", dialog);
  press("Change", dialog);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.sentTo(change)).toHaveLength(2);
});

it("says beside the original that it contains parts that viewers don't see", async () => {
  const trimmedAway = /^The original also contains the parts that were trimmed away/;
  const { server, sendEvent } = await open({
    [read]: { ...tides, mediaNotices: ["The picture is interlaced."] },
    [`GET /api/admin/videos/${tides.id}/files`]: {
      ...{ originalBytes: 4711, replacement: null, sameFileAs: [], files: [] },
    },
  });
  await screen.findByRole("link", { name: "Download original" });
  expect(screen.queryByText(trimmedAway)).toBeNull();
  server.reply(read, { ...tides, mediaNotices: [hiddenPartsNotice("3 s")] });
  sendEvent(changed);
  await screen.findByText(trimmedAway);
});

it("links to the sections of the page at its top", async () => {
  await open();
  await screen.findByRole("heading", { name: "Tides" });
  const links = within(screen.getByRole("navigation", { name: "On this page" }));
  expect(links.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "Captions",
    "Files and Replace",
    "Chapters",
    "Translations",
    "Statistics",
    "History",
  ]);
  // The targets exist before their content has loaded.
  for (const link of links.getAllByRole("link")) {
    const href = link.getAttribute("href") ?? "";
    expect(document.querySelector(href)?.tagName).toBe("H2");
  }
});

it.each([
  [`GET /api/admin/videos/${tides.id}/files`, "Failed to load the files"],
  [`GET /api/admin/videos/${tides.id}/statistics`, "Failed to load statistics"],
  ["GET /api/admin/audit", "Failed to load the history"],
])("reports the failure of %s, and repeats it on Try Again", async (call, text) => {
  const { server } = await open({ [call]: failure(404) });
  await screen.findByText(text);
  server.reply(call, never);
  press("Try Again");
  await waitFor(() => expect(server.sentTo(call)).toHaveLength(2));
});

it("shows where an imported video came from", async () => {
  await open({
    [`GET /api/admin/videos/${tides.id}/origin`]: {
      origin: { source: "peertube", sourceId: "9b2e" },
    },
  });
  await screen.findByText("peertube: 9b2e");
});

it("keeps the translation that someone else saves at the same time", async () => {
  const german = (title: string, description: string) => ({
    translations: { de: { title, description } },
  });
  const { server, sendEvent } = await open({
    [read]: { ...tides, version: 1, ...german("Gezeiten", "Alt") },
  });
  await screen.findByDisplayValue("Alt");
  const theirs = { ...tides, version: 2, ...german("Gezeiten", "Neu") };
  server.reply(read, theirs);
  sendEvent(changed);
  await waitFor(() => expect(server.sentTo(read)).toHaveLength(2));
  fill("Translated title", "Ebbe und Flut");
  const change = `PUT ${one}`;
  server.reply(change, () =>
    server.sentTo(change).length === 1
      ? failure(409, "Someone else changed this video", "edit_conflict")
      : { ...theirs, version: 3, ...german("Ebbe und Flut", "Neu") },
  );
  press("Save translation");
  await waitFor(() => expect(server.sentTo(change)).toHaveLength(2));
  expect(server.sentTo(change).map(({ body }) => body)).toEqual([
    { version: 1, ...german("Ebbe und Flut", "Alt") },
    { version: 2, ...german("Ebbe und Flut", "Neu") },
  ]);
});

it("shows the translation of its own video after Back", async () => {
  const ocean = adminVideo({
    id: "33333333-3333-4333-8333-333333333333",
    slug: "ocean",
    title: "Ocean",
    translations: { de: { title: "Ozean", description: "" } },
  });
  const { id } = ocean;
  const { router } = await open({
    [`GET /api/videos/${id}`]: ocean,
    [`GET /api/admin/videos/${id}/captions`]: never,
    [`GET /api/admin/videos/${id}/files`]: never,
    [`GET /api/admin/videos/${id}/origin`]: { origin: null },
    [`GET /api/admin/videos/${id}/statistics`]: never,
  });
  await screen.findByRole("heading", { name: "Tides" });
  await act(() => router.navigate(`/admin/videos/${id}`));
  await screen.findByDisplayValue("Ozean");
  await act(() => router.navigate(-1));
  await screen.findByRole("heading", { name: "Tides" });
  expect(screen.getByLabelText<HTMLInputElement>("Translated title").value).toBe("");
});

/** Chooses own mid-roll times, and returns their field. */
async function chooseOwnTimes(): Promise<HTMLInputElement> {
  await screen.findByLabelText("When mid-rolls play");
  fill("When mid-rolls play", "own");
  return screen.getByLabelText<HTMLInputElement>("Times in seconds, separated by commas");
}

it("saves mid-roll times on Enter, and shows them until they change", async () => {
  const { server, sendEvent } = await open();
  const field = await chooseOwnTimes();
  // Number pads lack the comma.
  expect(field.hasAttribute("inputmode")).toBe(false);
  fireEvent.change(field, { target: { value: "10,20" } });
  server.reply(`PUT ${one}`, { ...tides, version: 2, midrollTimes: [10, 20] });
  server.reply(read, { ...tides, version: 2, midrollTimes: [10, 20] });
  fireEvent.submit(field);
  await waitFor(() => expect(server.sentTo(read)).toHaveLength(2));
  expect(server.sentTo(`PUT ${one}`)[0]?.body).toEqual({ midrollTimes: [10, 20], version: 1 });
  expect(field.value).toBe("10, 20");
  // A cut moves them.
  server.reply(read, { ...tides, version: 3, midrollTimes: [4] });
  sendEvent(changed);
  await waitFor(() => expect(field.value).toBe("4"));
});

it("preserves mid-roll times that are typed while earlier ones are saved", async () => {
  // The save ends once everything shown has been read again.
  const { server } = await open({
    [`GET /api/admin/videos/${tides.id}/captions`]: failure(404),
    [`GET /api/admin/videos/${tides.id}/files`]: failure(404),
    [`GET /api/admin/videos/${tides.id}/statistics`]: failure(404),
    "GET /api/admin/audit": failure(404),
  });
  const field = await chooseOwnTimes();
  const saved = { ...tides, version: 2, midrollTimes: [10, 20] };
  let finish = () => {};
  const saving = new Promise((resolve) => {
    finish = () => resolve(saved);
  });
  server.reply(`PUT ${one}`, saving);
  server.reply(read, saved);
  fireEvent.change(field, { target: { value: "10, 20" } });
  fireEvent.submit(field);
  await screen.findByRole("button", { name: "Saving..." });
  fireEvent.change(field, { target: { value: "10, 20, 30" } });
  finish();
  await screen.findByRole("button", { name: "Save times" });
  expect(field.value).toBe("10, 20, 30");
});

it("tells no mid-rolls from those of the settings", async () => {
  const { server } = await open({ [read]: { ...tides, midrollTimes: [] } });
  const use = await screen.findByLabelText<HTMLSelectElement>("When mid-rolls play");
  expect(use.selectedOptions[0]?.text).toBe("No mid-rolls");
  const saved = { ...tides, version: 2, midrollTimes: null };
  server.reply(`PUT ${one}`, saved);
  server.reply(read, saved);
  fill("When mid-rolls play", "settings");
  press("Save times");
  await waitFor(() => expect(server.sentTo(read)).toHaveLength(2));
  expect(server.sentTo(`PUT ${one}`)[0]?.body).toEqual({ midrollTimes: null, version: 1 });
});

it("asks which mid-roll times to save if someone else changed them", async () => {
  const { server } = await open({ [read]: { ...tides, midrollTimes: [5] } });
  const field = await screen.findByLabelText<HTMLInputElement>(
    "Times in seconds, separated by commas",
  );
  const change = `PUT ${one}`;
  const theirs = { ...tides, version: 2, midrollTimes: [7] };
  server.reply(change, failure(409, "Someone else changed this video", "edit_conflict"));
  server.reply(read, theirs);
  fireEvent.change(field, { target: { value: "10" } });
  press("Save times");
  const conflict = await screen.findByRole("alert", { name: "Edit conflict" });
  within(conflict).getByText("7");
  within(conflict).getByText("10");
  press("Keep mine: Mid-rolls");
  server.reply(change, { ...theirs, version: 3, midrollTimes: [10] });
  press("Save times");
  await waitFor(() => expect(server.sentTo(change)).toHaveLength(2));
  expect(server.sentTo(change)[1]?.body).toEqual({ midrollTimes: [10], version: 2 });
});

it("scrolls to the section of its address once the video has loaded", async () => {
  const scroll = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
  await open({}, "#statistics");
  const heading = await screen.findByRole("heading", { name: /^Statistics/ });
  await waitFor(() => expect(scroll.mock.contexts).toContain(heading));
});

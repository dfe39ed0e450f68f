// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";
import { moveTo } from "./series-dialog.tsx";

const idOf = (at: number) => `00000000-0000-4000-8000-00000000000${at}`;
const tag = {
  id: idOf(9),
  name: "Holidays",
  slug: "holidays",
  description: null,
  imageUrl: null,
  coverUrl: null,
  videoCount: 3,
  isSeries: true,
  isPodcast: false,
  createdAt: "2026-03-04T10:00:00.000Z",
};
const videos = ["Arrival", "Beach", "Cave"].map((title, at) => ({
  id: idOf(at),
  slug: title.toLowerCase(),
  title,
  thumbnail: null,
  duration: 60,
  isListed: at !== 1,
}));
const order = `GET /api/tags/${tag.id}/series`;
const moves = `POST /api/tags/${tag.id}/series/moves`;

async function open() {
  const { server } = await openAdminPage("/admin/tags", {
    "GET /api/tags": [tag],
    [order]: { total: 3, videos },
    [moves]: new Response(null, { status: 204 }),
  });
  await screen.findByRole("button", { name: "Order of Holidays" });
  press("Order of Holidays");
  const dialog = await screen.findByRole("dialog", { name: "Order of Holidays" });
  await within(dialog).findByText("Arrival");
  const titles = () =>
    within(dialog)
      .getAllByRole("listitem")
      .map((row) => /Arrival|Beach|Cave/.exec(row.textContent)?.[0]);
  return { server, dialog, titles };
}

it("moves a video with buttons, by number and by dragging, behind its new neighbor", async () => {
  const { server, dialog, titles } = await open();
  within(dialog).getByText("Not listed");
  const sent = () => server.sentTo(moves).map(({ body }) => body);
  const reply = (...titled: string[]) => {
    const sorted = titled.flatMap((title) => videos.filter((video) => video.title === title));
    server.reply(order, { total: 3, videos: sorted });
  };
  reply("Beach", "Arrival", "Cave");
  press("Move Arrival down", dialog);
  expect(titles()).toEqual(["Beach", "Arrival", "Cave"]);
  await waitFor(() => expect(sent()).toEqual([{ videoId: idOf(0), after: idOf(1) }]));
  reply("Cave", "Beach", "Arrival");
  const number = within(dialog).getByRole("spinbutton", { name: "Number of Cave" });
  fireEvent.change(number, { target: { value: "1" } });
  fireEvent.keyDown(number, { key: "Enter" });
  expect(titles()).toEqual(["Cave", "Beach", "Arrival"]);
  await waitFor(() => expect(sent()[1]).toEqual({ videoId: idOf(2), after: null }));
  reply("Beach", "Arrival", "Cave");
  const [first, , last] = within(dialog).getAllByRole("listitem");
  const setDragImage = vi.fn();
  const data = { setData: () => undefined, setDragImage, effectAllowed: "" };
  fireEvent.dragStart(within(dialog).getByText("Cave"), { dataTransfer: data });
  expect(setDragImage).toHaveBeenCalledWith(first, expect.any(Number), expect.any(Number));
  if (last !== undefined) fireEvent.dragOver(last);
  // A line shows where it lands.
  expect(last?.className).toContain("shadow-[0_3px");
  if (last !== undefined) fireEvent.drop(last);
  expect(last?.className).not.toContain("shadow-");
  await waitFor(() => expect(sent()[2]).toEqual({ videoId: idOf(2), after: idOf(0) }));
  expect(titles()).toEqual(["Beach", "Arrival", "Cave"]);
});

it("says why a move failed and shows the current order", async () => {
  const { server, dialog, titles } = await open();
  server.reply(moves, failure(409, "Someone else removed this video.", "edit_conflict"));
  server.reply(order, { total: 2, videos: videos.slice(1) });
  press("Move Arrival down", dialog);
  await screen.findByText(/Someone else removed this video/);
  await waitFor(() => expect(titles()).toEqual(["Beach", "Cave"]));
});

it("doesn't drag the row from its number, whose text could then not be selected in Firefox", async () => {
  const { dialog } = await open();
  const field = within(dialog).getByLabelText("Number of Beach");
  expect(field.closest("[draggable]")).toBeNull();
  expect(within(dialog).getByText("Beach").closest("[draggable=true]")).not.toBeNull();
});

it("leaves a video in its place if its number is emptied", async () => {
  const { server, dialog, titles } = await open();
  const field = within(dialog).getByLabelText<HTMLInputElement>("Number of Beach");
  fireEvent.change(field, { target: { value: "" } });
  fireEvent.blur(field);
  expect(field.value).toBe("2");
  expect(titles()).toEqual(["Arrival", "Beach", "Cave"]);
  expect(server.sentTo(moves)).toEqual([]);
});

it("names the place if the new neighbor is on another page", () => {
  expect(moveTo(videos, 100, idOf(0), 100)).toEqual({ videoId: idOf(0), to: 100 });
  expect(moveTo(videos, 100, idOf(0), 102)).toEqual({ videoId: idOf(0), after: idOf(1) });
});

it("follows a video to another page, and keeps the focus on the number and the buttons", async () => {
  const many = Array.from({ length: 100 }, (_, at) => ({
    ...{ id: `00000000-0000-4000-8000-0000001${String(at).padStart(5, "0")}`, isListed: true },
    ...{ slug: `day-${at}`, title: `Day ${at}`, thumbnail: null, duration: 60 },
  }));
  // Found by their labels, because a query for roles takes seconds with so many rows.
  const { server } = await openAdminPage("/admin/tags", {
    "GET /api/tags": [tag],
    [order]: { total: 102, videos: many },
    [moves]: new Response(null, { status: 204 }),
  });
  await screen.findByRole("button", { name: "Order of Holidays" });
  press("Order of Holidays");
  const field = await screen.findByLabelText("Number of Day 0");
  const last = [...videos.slice(0, 1), { ...many[0], title: "Day 0" }];
  server.reply(order, { total: 102, videos: last });
  fireEvent.change(field, { target: { value: "102" } });
  fireEvent.keyDown(field, { key: "Enter" });
  await screen.findByText("Showing 101 to 102 of 102 videos");
  const moved = await screen.findByLabelText("Number of Day 0");
  expect(document.activeElement).toBe(moved);
  expect(server.sentTo(moves)[0]?.body).toEqual({ videoId: many[0]?.id, to: 102 });
  server.reply(order, { total: 102, videos: many });
  const previous = screen.getByText("Previous");
  act(() => previous.focus());
  fireEvent.click(previous);
  await screen.findByLabelText("Number of Day 1");
  expect(document.activeElement).toBe(previous);
});

// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { CutState } from "#contract/videos/cut.ts";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure, type Reply } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../../shared/admin-page.fixture.tsx";
import { adminVideo } from "../video.fixture.ts";

const video = adminVideo({
  ...{ videoUrl: "/media/tides.mp4", duration: 60, version: 4 },
  chapters: [
    { startS: 0, title: "Ebb" },
    { startS: 30, title: "Flood" },
  ],
});
const path = `/api/admin/videos/${video.id}/cut`;
const state = (values: Partial<CutState> = {}): CutState => ({
  ...{ version: 4, problem: null, partCount: null, canUndo: false },
  ...{ undoUntil: null, undoDays: null, isFromRendition: false, ...values },
});

async function open(replies: Record<string, Reply> = {}) {
  const opened = await openAdminPage(`/admin/videos/${video.id}/cut`, {
    [`GET /api/videos/${video.id}`]: video,
    [`GET ${path}`]: state(),
    ...replies,
  });
  await screen.findByRole("heading", { name: /^Cut: Tides/ });
  return opened;
}

const player = () => screen.getByRole("group", { name: "Player: Tides" });
const key = (name: string, options = {}) => fireEvent.keyDown(player(), { key: name, ...options });
const enter = (label: string, text: string) => {
  fill(label, text);
  fireEvent.keyDown(screen.getByLabelText(label), { key: "Enter" });
};
const listParts = () =>
  screen
    .getAllByLabelText(/of part \d/)
    .map((field) => (field instanceof HTMLInputElement ? field.value : ""));

it("removes, keeps and restores parts with keys, and undoes each step", async () => {
  await open();
  expect(screen.getByRole("button", { name: "Save as this video" })).toHaveProperty(
    "disabled",
    true,
  );
  enter("Start", "10");
  enter("End", "20");
  key("x");
  expect(listParts()).toEqual(["0:00.000", "0:10.000", "0:20.000", "1:00.000"]);
  screen.getByText("Removed: 0:10.000 to 0:20.000");
  screen.getByText("0:50.000 remain of 1:00.000");
  enter("End", "0:15");
  key("r");
  expect(listParts()).toEqual(["0:00.000", "0:15.000", "0:20.000", "1:00.000"]);
  key("Enter");
  expect(listParts()).toEqual(["0:10.000", "0:15.000"]);
  key("z", { ctrlKey: true });
  key("z", { ctrlKey: true });
  expect(listParts()).toEqual(["0:00.000", "0:10.000", "0:20.000", "1:00.000"]);
  key("y", { ctrlKey: true });
  expect(listParts()).toEqual(["0:00.000", "0:15.000", "0:20.000", "1:00.000"]);
  press("Remove part 1");
  expect(listParts()).toEqual(["0:20.000", "1:00.000"]);
  enter("End of part 1", "0:30");
  expect(listParts()).toEqual(["0:20.000", "0:30.000"]);
});

it("undoes a step with the key of Z on a Russian keyboard", async () => {
  await open();
  press("Select Flood, 0:30.000");
  key("ч", { code: "KeyX" });
  expect(listParts()).toEqual(["0:00.000", "0:30.000"]);
  key("я", { code: "KeyZ", ctrlKey: true });
  expect(listParts()).toEqual(["0:00.000", "1:00.000"]);
});

it("selects chapters", async () => {
  await open();
  press("Select Flood, 0:30.000");
  press("Keep only selection");
  expect(listParts()).toEqual(["0:30.000", "1:00.000"]);
});

it("says what the cut drops and for how long it can be undone before it saves", async () => {
  const { server } = await open({
    [`GET ${path}`]: state({ undoDays: 30 }),
    [`PUT ${path}`]: {
      effect: {
        ...{ durationS: 30, captionLines: 2, chapters: ["<b>Ebb</b>"] },
        ...{ midrollTimes: [12.5], comments: 1 },
      },
      videoId: null,
    },
  });
  press("Select Flood, 0:30.000");
  press("Keep only selection");
  press("Save as this video");
  await screen.findByText("Chapters that will disappear: <b>Ebb</b>.");
  screen.getByText("2 caption lines in removed parts will disappear.");
  screen.getByText("Mid-rolls that will disappear: 0:12.500.");
  screen.getByText(/^1 comment mentions a time in a removed part/);
  screen.getByText("You can undo the cut for 30 days. Then the original is deleted.");
  const parts = [{ startS: 30, endS: 60 }];
  const expected = { parts, target: "video", version: 4 };
  expect(server.sentTo(`PUT ${path}`).map(({ body }) => body)).toEqual([
    { ...expected, dryRun: true },
  ]);
  press("Cut video");
  await waitFor(() => expect(server.sentTo(`PUT ${path}`)[1]?.body).toEqual(expected));
});

describe("a conflict with another editor", () => {
  const message = "Someone else changed this video in the meantime.";

  /** Opens the page, and saves parts after the video has changed to this. */
  async function saveLate(changed: Partial<typeof video>) {
    let reads = 0;
    const opened = await open({
      [`GET /api/videos/${video.id}`]: () => {
        reads += 1;
        return reads === 1 ? video : { ...video, version: 5, ...changed };
      },
      [`PUT ${path}`]: ({ body }: { body: unknown }) =>
        JSON.stringify(body).includes('"version":5')
          ? {
              effect: {
                ...{ durationS: 30, captionLines: 0, chapters: [] },
                ...{ midrollTimes: [], comments: 0 },
              },
              videoId: null,
            }
          : failure(409, message, "edit_conflict"),
    });
    press("Select Flood, 0:30.000");
    press("Keep only selection");
    press("Save as new draft");
    await screen.findByText(`This can't be saved: ${message}`);
    press("Reload video");
    return opened;
  }

  it("is explained, and the parts stay if the files are the same", async () => {
    await saveLate({ title: "Tides of May" });
    await screen.findByText(/^This video stays as it is/);
    expect(listParts()).toEqual(["0:30.000", "1:00.000"]);
  });

  it("starts again with the whole video if it has new files", async () => {
    await saveLate({ videoUrl: "/media/new.mp4", duration: 50 });
    await waitFor(() => expect(listParts()).toEqual(["0:00.000", "0:50.000"]));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

it("keeps the focus in the field of a part whose time changes", async () => {
  await open();
  const field = screen.getByLabelText("Start of part 1");
  field.focus();
  enter("Start of part 1", "0:12");
  expect(listParts()).toEqual(["0:12.000", "1:00.000"]);
  expect(document.activeElement).toBe(screen.getByLabelText("Start of part 1"));
});

it.each([
  ["the last part is removed", ["10", "20", "30", "40"], "Remove part 3", "Start of part 2"],
  ["one part remains", ["10", "20"], "Remove part 1", "Start of part 1"],
])("keeps the focus in the list when %s", async (_, removed, name, next) => {
  await open();
  for (let at = 0; at < removed.length; at += 2) {
    enter("Start", removed[at] ?? "");
    enter("End", removed[at + 1] ?? "");
    key("x");
  }
  act(() => screen.getByRole("button", { name }).focus());
  press(name);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(next)));
});

it("asks before it discards parts while the dialog that saves them is open", async () => {
  const { router } = await open({ [`PUT ${path}`]: new Promise(() => {}) });
  press("Select Flood, 0:30.000");
  press("Keep only selection");
  press("Save as new draft");
  await screen.findByRole("dialog", { name: "Save as new draft" });
  await act(() => router.navigate("/admin/videos"));
  const question = await screen.findByRole("alertdialog", { name: "Discard your changes?" });
  press("Cancel", question);
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(router.state.location.pathname).toBe(`/admin/videos/${video.id}/cut`);
});

it("opens the video of a new address", async () => {
  const id = "33333333-3333-4333-8333-333333333333";
  const { router } = await open({
    [`GET /api/videos/${id}`]: { ...video, id, title: "Waves" },
    [`GET /api/admin/videos/${id}/cut`]: state(),
  });
  await act(() => router.navigate(`/admin/videos/${id}/cut`));
  await screen.findByRole("heading", { name: /^Cut: Waves/ });
});

it("says why a video can't be cut now, and checks again", async () => {
  let problem: string | null = "This video is being reprocessed.";
  await open({ [`GET ${path}`]: () => state({ problem }) });
  screen.getByText("This video is being reprocessed.");
  press("Select Flood, 0:30.000");
  press("Keep only selection");
  expect(screen.getByRole("button", { name: "Save as this video" })).toHaveProperty(
    "disabled",
    true,
  );
  problem = null;
  press("Check again");
  await waitFor(() => expect(screen.queryByText("This video is being reprocessed.")).toBeNull());
});

it("undoes an earlier cut after a question", async () => {
  await open({
    [`GET ${path}`]: state({ partCount: 2, canUndo: true }),
    [`DELETE ${path}`]: failure(409, "Not now."),
  });
  press("Undo cut");
  await choose(
    "Undo the cut? The whole original will play again. Captions, chapters, mid-rolls and times will move back.",
    "Undo cut",
  );
  await screen.findByText("Failed to undo the cut: Not now.");
});

it("says that a cut can't be undone without the original", async () => {
  await open({ [`GET ${path}`]: state({ partCount: 1 }) });
  screen.getByText(/The original is gone, so the cut can't be undone/);
  expect(screen.queryByRole("button", { name: "Undo cut" })).toBeNull();
});

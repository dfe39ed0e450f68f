// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { ClipOptions } from "#contract/videos/clips.ts";
import { fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../../shared/admin-page.fixture.tsx";
import { adminVideo } from "../video.fixture.ts";

const long = adminVideo({ videoUrl: "/media/tides.mp4", duration: 120, width: 1920, height: 1080 });
const draft = adminVideo({ id: "33333333-3333-4333-8333-333333333333", isPublished: false });
const post = `POST /api/videos/${long.id}/clips`;
const options: ClipOptions = {
  suggestions: [
    { startS: 60, endS: 90, kind: "replays", title: null },
    { startS: 10, endS: 40, kind: "chapter", title: "The harbor" },
  ],
  captionsObstacle: null,
  captions: [{ id: "t1", name: "English", language: "en" }],
  clips: [],
};

const open = (values: Partial<ClipOptions> = {}, video = long, query = "") =>
  openAdminPage(`/admin/videos/${long.id}/clips${query}`, {
    [`GET /api/videos/${long.id}`]: video,
    [`GET /api/admin/videos/${long.id}/clips`]: { ...options, ...values },
    // The pages that open once clips are made.
    [`GET /api/videos/${draft.id}`]: new Promise(() => {}),
    "GET /api/admin/videos": new Promise(() => {}),
  });

const sentClips = (server: Awaited<ReturnType<typeof open>>["server"]) =>
  server.sentTo(post).map(({ body }) => body);

it("makes a clip at the time in the address, with the frame moved by keys", async () => {
  const { server } = await open({}, long, "?t=12.5");
  server.reply(post, { videos: [draft] });
  const frame = await screen.findByRole("slider", { name: "Frame of the clip" });
  fireEvent.keyDown(frame, { key: "ArrowLeft", shiftKey: true });
  fireEvent.change(screen.getByLabelText("Captions in the picture"), { target: { value: "t1" } });
  fill(/^Title/, "High tide");
  press("Make the clip");
  await waitFor(() => expect(server.sentTo(post)).toHaveLength(1));
  expect(sentClips(server)[0]).toMatchObject({
    clips: [
      {
        startS: 12.5,
        endS: 42.5,
        title: "High tide",
        captionId: "t1",
        thumbnailS: null,
        framing: { kind: "crop", window: { zoom: 1, from: { x: 0.4, y: 0.5 }, move: null } },
      },
    ],
  });
});

it("takes a suggested passage with one press, and another shape", async () => {
  const { server } = await open();
  server.reply(post, { videos: [draft] });
  const suggestions = await screen.findByRole("region", { name: "Suggestions" });
  fireEvent.click(within(suggestions).getByRole("button", { name: /^Most replayed/ }));
  fireEvent.click(screen.getByRole("radio", { name: "Blurred background" }));
  press("Make the clip");
  await waitFor(() => expect(server.sentTo(post)).toHaveLength(1));
  expect(sentClips(server)[0]).toMatchObject({
    clips: [{ startS: 60, endS: 90, framing: { kind: "blur" } }],
  });
});

it("keeps the choices when the video has new files, and shortens the passage to fit", async () => {
  const { server } = await open();
  const message = "This video has new files. Reload it and check the times.";
  server.reply(post, failure(409, message, "edit_conflict"));
  const suggestions = await screen.findByRole("region", { name: "Suggestions" });
  fireEvent.click(within(suggestions).getByRole("button", { name: /^Most replayed/ }));
  fill(/^Title/, "High tide");
  press("Make the clip");
  const alert = await screen.findByText("Your passage, list and settings are kept.");
  expect(alert.parentElement?.textContent).toContain(`Failed to make the clip: ${message}`);
  server.reply(`GET /api/videos/${long.id}`, { ...long, videoUrl: "/media/cut.mp4", duration: 80 });
  server.reply(post, { videos: [draft] });
  press("Reload video");
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLVideoElement>("Video: Tides").src).toContain("/media/cut.mp4"),
  );
  press("Make the clip");
  await waitFor(() => expect(server.sentTo(post)).toHaveLength(2));
  const title = "High tide";
  expect(sentClips(server)).toMatchObject([
    { videoUrl: "/media/tides.mp4", clips: [{ startS: 60, endS: 90, title }] },
    { videoUrl: "/media/cut.mp4", clips: [{ startS: 60, endS: 80, title }] },
  ]);
});

it("adds and removes a second point, and keeps the focus", async () => {
  await open();
  const button = await screen.findByRole("button", { name: "Add second point" });
  act(() => button.focus());
  press("Add second point");
  await screen.findByLabelText("Moves until");
  expect(document.activeElement?.textContent).toBe("Remove second point");
  press("Remove second point");
  expect(screen.queryByLabelText("Moves until")).toBeNull();
  expect(document.activeElement?.textContent).toBe("Add second point");
});

it("asks before it discards a clip or a list that isn't made yet", async () => {
  const { router } = await open();
  const title = await screen.findByRole("textbox", { name: /^Title/ });
  const path = router.state.location.pathname;
  for (const field of [title, screen.getByLabelText("List of times")]) {
    fireEvent.change(field, { target: { value: "0:05, 0:20, Opening" } });
    await act(() => router.navigate("/admin/videos"));
    const question = await screen.findByRole("alertdialog", { name: "Discard your changes?" });
    press("Cancel", question);
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(router.state.location.pathname).toBe(path);
    fireEvent.change(field, { target: { value: field === title ? long.title : "" } });
  }
});

it("leaves without a question once the clip is made", async () => {
  const { server, router } = await open();
  server.reply(post, { videos: [draft] });
  await screen.findByRole("slider", { name: "Frame of the clip" });
  fill(/^Title/, "High tide");
  press("Make the clip");
  await waitFor(() => expect(router.state.location.pathname).toBe(`/admin/videos/${draft.id}`));
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("keeps the last frame in the preview until the next one has loaded", async () => {
  const drawImage = vi.fn();
  const context: unknown = { drawImage };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as null);
  await open();
  const preview = await screen.findByRole<HTMLCanvasElement>("img", {
    name: "Preview of the clip",
  });
  const video = screen.getByLabelText("Video: Tides");
  const load = (readyState: number) =>
    Object.defineProperties(video, {
      HAVE_CURRENT_DATA: { value: 2, configurable: true },
      videoWidth: { value: 1920, configurable: true },
      videoHeight: { value: 1080, configurable: true },
      readyState: { value: readyState, configurable: true },
    });
  load(1);
  const { height } = preview;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect([drawImage.mock.calls.length, preview.height]).toEqual([0, height]);
  load(2);
  await waitFor(() => expect(drawImage).toHaveBeenCalled());
});

it("checks a list of times before it makes several clips", async () => {
  const { server } = await open();
  server.reply(post, { videos: [draft, draft] });
  fill(
    "List of times",
    "0:05,0:20,Opening\n0:30,2:10,Too long\nnonsense",
    await screen.findByRole("main"),
  );
  press("Check the list");
  await screen.findByText("Rows that can't be read: 3");
  await screen.findByText("A clip must be 3 to 90 seconds long");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Make 2 clips" }).disabled).toBe(
    true,
  );
  press("Remove clip 2");
  press("Make 1 clip");
  await waitFor(() => expect(server.sentTo(post)).toHaveLength(1));
  expect(sentClips(server)[0]).toMatchObject({
    clips: [{ startS: 5, endS: 20, title: "Opening" }],
  });
});

it("keeps the focus in the list when its last row is removed", async () => {
  await open();
  const list = await screen.findByLabelText("List of times");
  fireEvent.change(list, { target: { value: "0:05,0:20,Opening\n0:30,0:50,Pier" } });
  press("Check the list");
  for (const [number, next] of [
    [2, "Title of clip 1"],
    [1, "List of times"],
  ] as const) {
    const button = screen.getByRole("button", { name: `Remove clip ${number}` });
    act(() => button.focus());
    fireEvent.click(button);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(next)));
  }
});

it("says that a long list was shortened", async () => {
  await open();
  const list = await screen.findByLabelText("List of times");
  fireEvent.change(list, { target: { value: "0:05,0:20\n".repeat(51) } });
  press("Check the list");
  await screen.findByText("Only the first 50 clips are listed");
  screen.getByText("Make 50 clips");
});

it("lists more chapters than have a button", async () => {
  const suggestions = Array.from({ length: 51 }, (_, at) => ({
    ...{ startS: at * 2, endS: at * 2 + 5, kind: "chapter" as const, title: `Part ${at + 1}` },
  }));
  await open({ suggestions });
  const region = await screen.findByRole("region", { name: "Suggestions" });
  expect(within(region).getAllByRole("button")).toHaveLength(40);
  press("Use the chapters");
  await screen.findByText("Only the first 50 clips are listed");
  expect(screen.getByLabelText<HTMLInputElement>("Title of clip 50").value).toBe("Part 50");
});

it("reports a file that can't be read", async () => {
  await open();
  const file = new File([""], "times.csv", { type: "text/csv" });
  vi.spyOn(file, "text").mockRejectedValue(new DOMException("gone", "NotReadableError"));
  fireEvent.change(await screen.findByLabelText("Open a CSV file"), { target: { files: [file] } });
  await screen.findByText("Failed to read the file: Unknown error");
});

it("says why captions can't become part of the picture", async () => {
  await open({ captionsObstacle: "This ffmpeg has no libass." });
  await screen.findByText("This ffmpeg has no libass.");
  expect(screen.getByLabelText<HTMLSelectElement>("Captions in the picture").disabled).toBe(true);
});

it("refuses to make a clip of a clip", async () => {
  const clipOf = { id: draft.id, slug: "seas", title: "Seas", startS: 1, endS: 9 };
  await open({}, { ...long, clipOf });
  await screen.findByText(/^This video is a clip/);
});

// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ClipOptions } from "#contract/videos/clips.ts";
import { fill, press } from "#test/harness/press.ts";
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
  fireEvent.click(screen.getByRole("radio", { name: "Blurred ground" }));
  press("Make the clip");
  await waitFor(() => expect(server.sentTo(post)).toHaveLength(1));
  expect(sentClips(server)[0]).toMatchObject({
    clips: [{ startS: 60, endS: 90, framing: { kind: "blur" } }],
  });
});

it("adds and removes a second point", async () => {
  await open();
  await screen.findByRole("slider", { name: "Frame of the clip" });
  press("Move the frame here");
  await screen.findByLabelText("Moves until");
  press("Remove second point");
  expect(screen.queryByLabelText("Moves until")).toBeNull();
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
  await screen.findByText("A clip must have 3 to 90 seconds");
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

// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { press } from "#test/harness/press.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";
import { createOtherThumbnails } from "./video-thumbnail.ts";

const thumbnail = new Blob(["thumbnail"]);
const frame = new Blob(["frame"]);
let isReplacement: boolean;
vi.mock("./video-thumbnail.ts", () => ({
  createThumbnail: async () => ({ blob: thumbnail, durationS: 8, isReplacement }),
  createOtherThumbnails: vi.fn(),
}));

/** Opens the form of a file. Its other frames can be read from `finish` on. */
async function openForm({ isBlack }: { isBlack: boolean }) {
  isReplacement = isBlack;
  const { promise, resolve } = Promise.withResolvers<Blob[]>();
  vi.mocked(createOtherThumbnails).mockReturnValue(promise);
  const created = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:x");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const request: unknown = (_name: string, run: (lock: object) => unknown) =>
    Promise.resolve(run({}));
  vi.spyOn(navigator, "locks", "get").mockReturnValue({ request } as LockManager);
  await openAdminPage("/admin/videos", {
    "GET /api/videos": { videos: [], total: 0, nextCursor: null },
    "GET /api/categories": [],
    "GET /api/tags": [],
    "GET /api/actors": [],
    "GET /api/admin/bulk": [],
    "OPTIONS /api/uploads": new Response(null, { headers: { "tus-max-size": "500000000" } }),
  });
  press("Upload Video");
  const dialog = await screen.findByRole("dialog", { name: "Upload Video" });
  const input = dialog.querySelector("input[type=file]");
  const file = new File(["bytes"], "dark.mp4", { type: "video/mp4" });
  if (input !== null) await act(async () => fireEvent.change(input, { target: { files: [file] } }));
  const next = await screen.findByRole("button", { name: "Continue" });
  await waitFor(() => expect(next).toHaveProperty("disabled", false));
  press("Continue");
  await screen.findByRole("button", { name: /frames|thumbnail/ });
  return { created, finish: () => act(async () => resolve([frame])) };
}

it("offers other frames right away if the default one is black", async () => {
  const { created, finish } = await openForm({ isBlack: true });
  await finish();
  await screen.findByRole("button", { name: "Use frame 1" });
  expect(created).toHaveBeenCalledWith(frame);
});

it("creates no pictures of frames that are read after the file was removed", async () => {
  const { created, finish } = await openForm({ isBlack: true });
  press("Remove file");
  await waitFor(() => expect(screen.queryByText("Reading frames...")).toBeNull());
  await finish();
  expect(created).not.toHaveBeenCalledWith(frame);
});

it("moves the focus from the button to the frames that replace it", async () => {
  const { finish } = await openForm({ isBlack: false });
  const button = screen.getByRole("button", { name: "Choose another thumbnail" });
  act(() => button.focus());
  fireEvent.click(button);
  await finish();
  const first = await screen.findByRole("button", { name: "Use frame 1" });
  await waitFor(() => expect(document.activeElement).toBe(first));
});

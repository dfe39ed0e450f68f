// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { press } from "#test/harness/press.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const videoId = "22222222-2222-4222-8222-222222222222";
const at = "2026-03-04T10:00:00.000Z";
const state = {
  ...{ isOn: true, lookedAt: new Date().toISOString(), problem: null, waiting: 2, failed: 1 },
  files: [
    { path: "Cat/bad.mp4", state: "failed", note: "its file is empty", videoId: null, at },
    { path: "Cat/next.mp4", state: "waiting", note: null, videoId: null, at },
    { path: "Cat/<b>done</b>.mp4", state: "done", note: null, videoId, at },
  ],
};
const read = "GET /api/admin/watched-folder";
const clear = "DELETE /api/admin/watched-folder/failed";

const open = (folder: object) =>
  openAdminPage("/admin/import", {
    "GET /api/admin/imports": [],
    "GET /api/admin/import-folder": { files: [], hasMore: false },
    [read]: folder,
  });

it("lists the files of the watched folder, and clears the failed ones", async () => {
  const { server } = await open(state);
  await screen.findByText("Last checked just now · 2 files waiting · 1 failed");
  screen.getByText("its file is empty");
  const link = screen.getByRole("link", { name: "Cat/<b>done</b>.mp4" });
  expect(link.getAttribute("href")).toBe(`/admin/videos/${videoId}`);
  server.reply(clear, new Response(null, { status: 204 }));
  server.reply(read, { ...state, failed: 0, files: [] });
  press("Clear failed files");
  await screen.findByText("Last checked just now · 2 files waiting · 0 failed");
  expect(server.sentTo(clear)).toHaveLength(1);
});

it("says why the folder can't be read", async () => {
  await open({ ...state, lookedAt: null, problem: "The folder doesn't respond." });
  await screen.findByText("The folder doesn't respond.");
  screen.getByText(/^Not checked yet/);
});

it("shows nothing while the folder isn't watched", async () => {
  const { server } = await open({ ...state, isOn: false });
  await waitFor(() => expect(server.sentTo(read)).not.toEqual([]));
  await screen.findByRole("heading", { name: "From another site" });
  expect(screen.queryByRole("heading", { name: "Watched folder" })).toBeNull();
});

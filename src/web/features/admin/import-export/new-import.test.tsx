// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { choose, fill, press } from "#test/harness/press.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

it("asks before pasted URLs are lost", async () => {
  const never = new Promise(() => {});
  const { router } = await openAdminPage("/admin/import", {
    "GET /api/admin/imports": [],
    "GET /api/admin/import-folder": never,
    "GET /api/admin/watched-folder": never,
  });
  fill("Media source", "addresses");
  fill(/^URLs of video files/, "https://example.com/one.mp4");
  await act(() => router.navigate("/admin/account"));
  await choose("Discard your changes?", "Cancel");
  expect(router.state.location.pathname).toBe("/admin/import");
  screen.getByDisplayValue("https://example.com/one.mp4");
});

it("asks before the check of a site discards pasted URLs, but not about its own fields", async () => {
  const never = new Promise(() => {});
  const start = "POST /api/admin/imports/site";
  const { server, router } = await openAdminPage("/admin/import", {
    "GET /api/admin/imports": [],
    "GET /api/admin/import-folder": never,
    "GET /api/admin/watched-folder": never,
    [start]: never,
  });
  fill(/^Folder or zip archive/, "old-site");
  await act(() => router.navigate("/admin/account"));
  await choose("Discard your changes?", "Cancel");
  fill("Media source", "addresses");
  fill(/^URLs of video files/, "https://example.com/one.mp4");
  press("Check the site");
  await choose("Discard your changes?", "Cancel");
  expect(server.sentTo(start)).toEqual([]);
  fill(/^URLs of video files/, "");
  press("Check the site");
  await waitFor(() => expect(server.sentTo(start)).toHaveLength(1));
});

it("asks for a file again that was changed after it was chosen", async () => {
  const never = new Promise(() => {});
  await openAdminPage("/admin/import", {
    "GET /api/admin/imports": [],
    "GET /api/admin/import-folder": never,
    "GET /api/admin/watched-folder": never,
    "POST /api/admin/imports/videos": new TypeError("Failed to fetch"),
  });
  const file = new File(["title"], "rows.csv", { type: "text/csv" });
  vi.spyOn(file, "slice").mockImplementation(() => {
    const arrayBuffer = () => Promise.reject(new DOMException("Changed", "NotReadableError"));
    return Object.assign(new Blob(), { arrayBuffer });
  });
  const field = screen.getByLabelText<HTMLInputElement>("CSV file");
  fireEvent.change(field, { target: { files: [file] } });
  press("Check the rows");
  await screen.findByText(
    "Failed to read the file: The file was changed or moved. Choose it again.",
  );
  // A browser sends no event if the chosen file is the current one.
  const reset = vi.spyOn(field, "value", "set");
  fireEvent.click(field);
  expect(reset).toHaveBeenCalledWith("");
  expect(screen.getByRole("button", { name: "Check the rows" }).matches(":disabled")).toBe(true);
});

// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { choose, fill } from "#test/harness/press.ts";
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

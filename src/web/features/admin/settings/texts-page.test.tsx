// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { choose, fill, press } from "#test/harness/press.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

it("asks before the browser goes back to another page of the list without saving", async () => {
  const texts = Array.from({ length: 51 }, (_, at) => ({
    id: `text.${at}`,
    standard: `Text ${at}`,
    own: null,
  }));
  const { router } = await openAdminPage("/admin/settings/texts", {
    "GET /api/admin/texts": texts,
  });
  await screen.findByText("Text 0");
  press("Next");
  await screen.findByText("Text 50");
  fill("Your text", "Mine");
  await act(() => router.navigate(-1));
  await choose("Discard your changes?", "Cancel");
  screen.getByDisplayValue("Mine");
  expect(router.state.location.search).toBe("?page=2");
  await act(() => router.navigate(-1));
  await choose("Discard your changes?", "Discard");
  await screen.findByText("Text 0");
  expect(router.state.location.search).toBe("");
});

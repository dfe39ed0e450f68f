// @vitest-environment happy-dom
import { fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { press } from "#test/harness/press.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const hook = {
  id: "00000000-0000-4000-8000-000000000001",
  url: "https://example.com/hook",
  events: ["video.ready"],
  isEnabled: true,
  createdAt: "2026-03-04T10:00:00.000Z",
  delivered: 0,
  failed: 0,
};

it("asks before it discards changed events", async () => {
  await openAdminPage("/admin/webhooks", { "GET /api/admin/webhooks": [hook] });
  fireEvent.click(await screen.findByRole("button", { name: `Manage ${hook.url}` }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Edit webhook" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit webhook" });
  fireEvent.click(within(dialog).getByLabelText("Video published"));
  press("Close", dialog);
  await screen.findByRole("alertdialog", { name: "Discard your changes?" });
  expect(dialog.isConnected).toBe(true);
});

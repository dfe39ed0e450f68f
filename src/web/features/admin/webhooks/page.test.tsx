// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { fill, press } from "#test/harness/press.ts";
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

async function openForm() {
  const opened = await openAdminPage("/admin/webhooks", { "GET /api/admin/webhooks": [hook] });
  fireEvent.click(await screen.findByRole("button", { name: `Manage ${hook.url}` }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Edit webhook" }));
  return { ...opened, dialog: await screen.findByRole("dialog", { name: "Edit webhook" }) };
}

it.each([
  [
    "URL",
    (dialog: HTMLElement) => void fill(/^URL/, "https://example.com/new", dialog),
    { url: "https://example.com/new" },
  ],
  [
    "events",
    (dialog: HTMLElement) => void fireEvent.click(within(dialog).getByLabelText("Video published")),
    { events: ["video.ready", "video.published"] },
  ],
])("sends only the changed %s", async (_, change, body) => {
  const { server, dialog } = await openForm();
  const save = `PUT /api/admin/webhooks/${hook.id}`;
  server.reply(save, new Response(null, { status: 204 }));
  change(dialog);
  press("Save", dialog);
  await waitFor(() => expect(dialog.isConnected).toBe(false));
  expect(server.sentTo(save).map((sent) => sent.body)).toEqual([body]);
});

it("asks before it discards changed events", async () => {
  const { dialog } = await openForm();
  fireEvent.click(within(dialog).getByLabelText("Video published"));
  press("Close", dialog);
  await screen.findByRole("alertdialog", { name: "Discard your changes?" });
  expect(dialog.isConnected).toBe(true);
});

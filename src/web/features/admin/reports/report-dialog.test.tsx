// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { ReportDetails } from "#contract/visitors/reports.ts";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const id = "00000000-0000-4000-8000-000000000001";
const path = `/api/admin/reports/${id}`;
const report: ReportDetails = {
  id,
  kind: "report",
  reason: "illegal",
  text: "",
  email: null,
  notice: null,
  state: "open",
  outcome: null,
  assignee: null,
  video: { id, slug: "lantern", title: "Lantern", isRemoved: false, isPublished: false },
  comment: null,
  others: 0,
  noteCount: 0,
  createdAt: "2026-03-04T10:00:00.000Z",
  resolvedAt: null,
  notes: [],
};

async function openReport(values: Partial<ReportDetails>) {
  const details = { ...report, ...values };
  const { server } = await openAdminPage("/admin/reports", {
    "GET /api/admin/reports": { reports: [details], total: 1, open: 1 },
    "GET /api/admin/reports/assignees": [],
    [`GET ${path}`]: details,
  });
  fireEvent.click(await screen.findByRole("button", { name: /^Open the report about/ }));
  return { server, dialog: await screen.findByRole("dialog", { name: "Lantern" }) };
}

it("removes a video from the trash that was deleted elsewhere", async () => {
  const { server, dialog } = await openReport({ video: { ...report.video, isRemoved: true } });
  await within(dialog).findByRole("button", { name: "Dismiss" });
  expect(within(dialog).queryByRole("button", { name: /Unpublish|block/ })).toBeNull();
  const action = `POST ${path}/action`;
  server.reply(action, { ...report, state: "resolved", outcome: "removed" });
  press("Remove video", dialog);
  await choose(
    "This video was already deleted. Delete it for good, even if it's in the trash? This resolves all reports about it.",
    "Remove video",
  );
  await waitFor(() =>
    expect(server.sentTo(action)).toMatchObject([{ body: { action: "remove" } }]),
  );
});

it("can unassign a user who may no longer handle reports", async () => {
  const assignee = { id, email: "gone@example.test", name: "Gone" };
  const { server, dialog } = await openReport({ assignee });
  const field = await within(dialog).findByLabelText<HTMLSelectElement>("Assignee");
  await waitFor(() => expect(field.disabled).toBe(false));
  expect(field.selectedOptions[0]?.text).toBe(assignee.email);
  server.reply(`PUT ${path}`, { ...report, assignee: null });
  fireEvent.change(field, { target: { value: "" } });
  await waitFor(() =>
    expect(server.sentTo(`PUT ${path}`)).toMatchObject([{ body: { assigneeId: null } }]),
  );
});

it("deletes a resolved report and closes", async () => {
  const { server, dialog } = await openReport({ state: "resolved", outcome: "dismissed" });
  server.reply(`DELETE ${path}`, new Response(null, { status: 204 }));
  server.reply("GET /api/admin/reports", { reports: [], total: 0, open: 0 });
  await within(dialog).findByRole("button", { name: "Reopen" });
  press("Delete report", dialog);
  await choose(
    "Delete this report with its notes and its sender's address? You can't undo this.",
    "Delete report",
  );
  await screen.findByText("Report deleted");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.sentTo(`GET ${path}`)).toHaveLength(1);
  await screen.findByText("No reports found.");
});

it("preserves a note that is being typed if loading the report again fails", async () => {
  const { server, dialog } = await openReport({});
  await within(dialog).findByLabelText("Add note");
  fill("Add note", "Compare it with the original", dialog);
  server.reply(`PUT ${path}`, { ...report, state: "in_review" });
  server.reply(`GET ${path}`, failure(404));
  press("Start review", dialog);
  await waitFor(() => expect(server.sentTo(`GET ${path}`)).toHaveLength(2));
  await act(() => vi.advanceTimersByTimeAsync(100));
  const note = within(dialog).getByLabelText<HTMLTextAreaElement>("Add note");
  expect(note.value).toBe("Compare it with the original");
});

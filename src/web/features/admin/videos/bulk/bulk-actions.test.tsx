// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { BulkJob } from "#contract/videos/admin-videos.ts";
import type { Video } from "#contract/videos/videos.ts";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { BulkTools } from "./bulk-tools.tsx";
import { adminVideo } from "../video.fixture.ts";
import { hasDialog, list, listOf, openVideos, rowOf } from "../videos-page.fixture.tsx";

const filteredList = "GET /api/admin/videos";
const tides = adminVideo();

describe("bulk actions", () => {
  const job: BulkJob = {
    id: "33333333-3333-4333-8333-333333333333",
    action: { kind: "publish" },
    state: "running",
    total: 2,
    done: 0,
    changed: 0,
    failureReason: null,
    createdAt: "2026-03-04T10:00:00.000Z",
    createdBy: "ada@example.test",
  };
  const start = "POST /api/admin/bulk";
  const drafts = ["First", "Second"].map((title, at) =>
    adminVideo({ id: `${tides.id.slice(0, -1)}${at}`, title, isPublished: false }),
  );

  it("publishes the selected videos, and reports the result", async () => {
    const { server, sendEvent } = await openVideos(drafts, { [start]: job });
    await rowOf("First");
    for (const { title } of drafts) fireEvent.click(screen.getByLabelText(`Select ${title}`));
    const bar = screen.getByRole("region", { name: "Bulk actions" });
    within(bar).getByText("2 selected");
    press("Publish", bar);
    server.reply("GET /api/admin/bulk", [job]);
    await choose("Are you sure you want to publish 2 videos?", "Publish");
    await screen.findByText("0 of 2");
    expect(server.sentTo(start)[0]?.body).toEqual({
      action: { kind: "publish" },
      target: { ids: drafts.map(({ id }) => id) },
    });
    server.reply("GET /api/admin/bulk", [{ ...job, state: "done", done: 2, changed: 2 }]);
    sendEvent({ type: "bulk", id: job.id });
    await screen.findByText("Done: 2 videos changed.");
  });

  it("starts once, and keeps the videos selected meanwhile", async () => {
    const started = Promise.withResolvers<BulkJob>();
    const { server } = await openVideos(drafts, { [start]: started.promise });
    await rowOf("First");
    fireEvent.click(screen.getByLabelText("Select First"));
    const bar = screen.getByRole("region", { name: "Bulk actions" });
    press("Publish", bar);
    await choose("Are you sure you want to publish 1 video?", "Publish");
    await waitFor(() => expect(server.sentTo(start)).toHaveLength(1));
    for (const name of ["Publish", "Unpublish", "Delete"]) {
      const button = within(bar).getByRole("button", { name });
      // Or `aria-disabled` for the pressed button, which keeps the focus.
      expect(button.matches(":disabled, [aria-disabled=true]")).toBe(true);
    }
    press("More bulk actions");
    const entry = await screen.findByRole("menuitem", { name: "Add tags" });
    expect(entry.getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(screen.getByLabelText("Select Second"));
    started.resolve(job);
    await within(bar).findByText("1 selected");
    expect(screen.getByLabelText<HTMLInputElement>("Select Second").checked).toBe(true);
  });

  it("keeps the selection and the typed names of an action that fails to start", async () => {
    const { server } = await openVideos(drafts, { [start]: failure(422, "Not today.") });
    await rowOf("First");
    fireEvent.click(screen.getByLabelText("Select all on this page"));
    press("Publish", screen.getByRole("region", { name: "Bulk actions" }));
    await choose("Are you sure you want to publish 2 videos?", "Publish");
    await screen.findByText("Failed to start: Not today.");
    screen.getByText("2 selected");
    press("More bulk actions");
    fireEvent.click(await screen.findByRole("menuitem", { name: "Add tags" }));
    const dialog = await screen.findByRole("dialog", { name: "Add tags to 2 videos" });
    fill(/^Tags/, "Harbour", dialog);
    press("Add", dialog);
    await waitFor(() => expect(server.sentTo(start)).toHaveLength(2));
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(within(dialog).getByLabelText<HTMLInputElement>(/^Tags/).value).toBe("Harbour");
    server.reply(start, job);
    press("Add", dialog);
    await waitFor(() => expect(hasDialog()).toBe(false));
    expect(screen.queryByText("2 selected")).toBeNull();
  });

  it("offers no action for more videos than it can take by id", () => {
    const target = { ids: Array.from({ length: 1001 }, () => tides.id) };
    const onAction = vi.fn(() => Promise.resolve());
    render(
      <QueryClientProvider client={new QueryClient()}>
        <BulkTools {...{ target, onAction }} count={1001} mayHaveClips={false} isBusy={false} />
      </QueryClientProvider>,
    );
    screen.getByText("You can select up to 1,000 videos, or all that match.");
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("keeps the rows, the selection and what is typed if a reload of the list fails", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { server, sendEvent } = await openVideos(drafts, { [list]: listOf(drafts, 20) });
    await rowOf("First");
    fireEvent.click(screen.getByLabelText("Select all on this page"));
    press("Select all 20 that match");
    press("More bulk actions");
    fireEvent.click(await screen.findByRole("menuitem", { name: "Add categories" }));
    const dialog = await screen.findByRole("dialog", { name: "Add categories to 20 videos" });
    fill(/^Categories/, "Harbour", dialog);
    server.reply(list, failure(404));
    const loads = server.sentTo(list).length;
    sendEvent({ type: "bulk", id: job.id });
    const pass = () => act(() => vi.advanceTimersByTimeAsync(1000));
    await pass();
    await waitFor(() => expect(server.sentTo(list).length).toBeGreaterThan(loads));
    await pass();
    expect(within(dialog).getByLabelText<HTMLInputElement>(/^Categories/).value).toBe("Harbour");
    expect(dialog.isConnected).toBe(true);
    screen.getByText("Total: 20 videos");
  });

  it("selects all that match the filters, on every page", async () => {
    const { server } = await openVideos(
      drafts,
      { [filteredList]: listOf(drafts, 20), [start]: job },
      "/admin/videos?state=draft",
    );
    await rowOf("First");
    fireEvent.click(screen.getByLabelText("Select all on this page"));
    press("Select all 20 that match");
    screen.getByText("All 20 videos selected");
    press("Publish", screen.getByRole("region", { name: "Bulk actions" }));
    await choose("Are you sure you want to publish 20 videos?", "Publish");
    await waitFor(() =>
      expect(server.sentTo(start)[0]?.body).toMatchObject({
        target: { filter: { state: "draft" } },
      }),
    );
  });

  it("selects the other rows of the page when one of all matching rows is deselected", async () => {
    const others = ["Keep me", "Third"].map((title, at) =>
      adminVideo({ id: `${tides.id.slice(0, -1)}${at + 5}`, title }),
    );
    const { server } = await openVideos(drafts, { [list]: listOf(drafts, 20) });
    await rowOf("First");
    const selectPage = () => screen.getByLabelText<HTMLInputElement>("Select all on this page");
    const selectAll = () => {
      fireEvent.click(selectPage());
      press("Select all 20 that match");
    };
    selectAll();
    server.reply(list, listOf(others, 20));
    press("Next");
    await rowOf("Keep me");
    fireEvent.click(screen.getByLabelText("Select Keep me"));
    screen.getByText("1 selected");
    const isSelected = ({ title }: Video) =>
      screen.getByLabelText<HTMLInputElement>(`Select ${title}`).checked;
    expect(others.map(isSelected)).toEqual([false, true]);
    selectAll();
    fireEvent.click(selectPage());
    expect([selectPage().checked, ...others.map(isSelected)]).toEqual([false, false, false]);
    expect(screen.queryByRole("region", { name: "Bulk actions" })).toBeNull();
  });

  it("moves the focus to the table when the pressed button disappears", async () => {
    await openVideos(drafts, { [list]: listOf(drafts, 20) });
    await rowOf("First");
    const selectAll = screen.getByLabelText("Select all on this page");
    fireEvent.click(selectAll);
    for (const name of ["Select all 20 that match", "Clear"]) {
      const button = screen.getByRole("button", { name });
      act(() => button.focus());
      fireEvent.click(button);
      expect(button.isConnected).toBe(false);
      expect(document.activeElement?.getAttribute("aria-label")).toBe("Select all on this page");
    }
  });

  it("shows the progress, and keeps finished videos when cancelled", async () => {
    const running = { ...job, total: 250, done: 100, changed: 100 };
    const cancel = `POST /api/admin/bulk/${job.id}/cancel`;
    const cancelled = { ...running, state: "cancelled", changed: 200 };
    const { server } = await openVideos(drafts, {
      "GET /api/admin/bulk": [running],
      [cancel]: cancelled,
    });
    const jobs = await screen.findByRole("list", { name: "Bulk actions in progress" });
    within(jobs).getByText("100 of 250");
    server.reply("GET /api/admin/bulk", [cancelled]);
    press("Cancel", jobs);
    await screen.findByText("Cancelled: 200 videos changed. All others are unchanged.");
  });
});

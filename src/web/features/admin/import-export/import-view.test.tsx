// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ImportView } from "./import-view.tsx";

const job = {
  id: "11111111-1111-4111-8111-111111111111",
  kind: "videos",
  fileName: "rows.csv",
  state: "done",
  columns: ["url"],
  mapping: ["address"],
  total: 3,
  done: 3,
  created: 1,
  updated: 0,
  unchanged: 0,
  failureReason: null,
  note: null,
  createdAt: "2026-03-04T10:00:00.000Z",
  createdBy: "someone@example.com",
  problemRows: [],
  notedRows: [],
  redirects: null,
  sample: [],
};

it.each([
  [0, "Done", "text-done-text"],
  [2, "Done with 2 problems", "text-lamp-text"],
])("shows the end of an import with %i problems as %s", async (problems, text, tone) => {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ ...job, problems }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ImportView id={job.id} onClose={vi.fn()} />
    </QueryClientProvider>,
  );
  const badge = await screen.findByText(text);
  expect(badge.className).toContain(tone);
});

it("shows what an import of another site takes, without columns to map", async () => {
  const site = { ...job, kind: "site", state: "checked", created: 2, note: "4.00 GB to import." };
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ ...site, problems: 1 }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ImportView id={job.id} onClose={vi.fn()} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText("4.00 GB to import.")).not.toBeNull();
  expect(screen.getByRole("button", { name: "Import 2 videos" })).not.toBeNull();
  expect(screen.queryByRole("heading", { name: "Columns" })).toBeNull();
});

it("shows what was repaired in videos of another site, with a report of all", async () => {
  const notedRows = [{ line: 1, name: "Office two", note: "title cut to 200 characters" }];
  const site = { ...job, kind: "site", problems: 0, notedRows };
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(site));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ImportView id={job.id} onClose={vi.fn()} />
    </QueryClientProvider>,
  );
  await screen.findByText("title cut to 200 characters");
  const report = screen.getByRole("link", { name: "Download the report" });
  expect(report.getAttribute("href")).toBe(`/api/admin/imports/${job.id}/problems`);
});

it("adds only a map of old addresses if no video is new", async () => {
  const site = { ...job, kind: "site", state: "checked", created: 0, problems: 0 };
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ ...site, redirects: "map.csv" }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ImportView id={job.id} onClose={vi.fn()} />
    </QueryClientProvider>,
  );
  await screen.findByRole("button", { name: "Add old addresses" });
  expect(screen.queryByText("Nothing to change.")).toBeNull();
});

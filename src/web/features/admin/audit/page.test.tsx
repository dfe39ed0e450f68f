// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const list = "GET /api/admin/audit";
const entryOf = (at: number, values: object) => ({
  id: `00000000-0000-4000-8000-00000000000${at}`,
  at: "2026-03-04T10:00:00.000Z",
  userEmail: "ada@example.test",
  userName: "Ada",
  action: "settings.updated",
  entity: "settings",
  entityId: null,
  before: null,
  after: null,
  requestId: null,
  ...values,
});

it("shows the user of each change, with old and new values, page by page", async () => {
  const changed = entryOf(1, { before: { siteName: null }, after: { siteName: "Lantern" } });
  const { server } = await openAdminPage("/admin/audit", {
    [list]: { entries: [changed], nextCursor: "next" },
  });
  const row = within(await screen.findByRole("row", { name: /Ada.* in the settings/ }));
  expect(row.getByRole("link", { name: "settings" }).getAttribute("href")).toBe("/admin/settings");
  row.getByText("Details");
  row.getByText("Before");
  row.getByText(/"siteName": "Lantern"/);
  const earlier = entryOf(2, { entity: "tag", action: "tag.created", after: { name: "Rain" } });
  server.reply(list, { entries: [earlier], nextCursor: null });
  press("Load more");
  await screen.findByRole("row", { name: /Rain/ });
  expect(server.sent.at(-1)?.url).toContain("cursor=next");
  expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
});

it("keeps the loaded entries if the next page fails, and loads it on Try Again", async () => {
  const { server } = await openAdminPage("/admin/audit", {
    [list]: { entries: [entryOf(1, {})], nextCursor: "next" },
  });
  await screen.findByRole("row", { name: /Ada saved the settings/ });
  server.reply(list, failure(404));
  press("Load more");
  await screen.findByText("Failed to load more entries");
  screen.getByRole("row", { name: /Ada saved the settings/ });
  const earlier = entryOf(2, { entity: "tag", action: "tag.created", after: { name: "Rain" } });
  server.reply(list, { entries: [earlier], nextCursor: null });
  press("Try Again");
  await screen.findByRole("row", { name: /Rain/ });
  expect(screen.queryByText("Failed to load more entries")).toBeNull();
});

it("filters by account, subject and day, and keeps the filters in the address", async () => {
  const { server, router } = await openAdminPage("/admin/audit", {
    [list]: { entries: [], nextCursor: null },
  });
  await screen.findByText("No entries found.");
  const query = () => new URL(server.sent.at(-1)?.url ?? "", "http://a.test").searchParams;
  fill("Subject", "tag");
  await waitFor(() => expect(query().get("entity")).toBe("tag"));
  expect(router.state.location.search).toBe("?entity=tag");
  fill("Subject", "sign-ins");
  await waitFor(() => expect(query().get("topic")).toBe("sign-ins"));
  expect(query().get("entity")).toBeNull();
  fill("To", "2020-01-01");
  await screen.findByText("No entries match these filters.");
  expect(router.state.location.search).toBe("?topic=sign-ins&to=2020-01-01");
  fill("Search by account", "unknown");
  await waitFor(() => expect(query().get("user")).toBe("unknown"));
});

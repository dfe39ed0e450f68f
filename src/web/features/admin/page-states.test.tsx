// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { newSettings } from "./settings/settings.fixture.ts";
import { openAdminPage } from "./shared/admin-page.fixture.tsx";

// A status below 500, because requests that fail with others are repeated after half a second.
const noReports = { reports: [], total: 0, open: 0 };
const account = {
  email: "ada@example.test",
  name: "Ada",
  role: "ADMIN",
  hasTotp: false,
  passkeys: [],
  recoveryCodesLeft: 0,
  isSecondFactorRequired: false,
};
const failed = failure(404);

it.each([
  ["categories", "GET /api/categories", "Failed to load categories", []],
  ["tags", "GET /api/tags", "Failed to load tags", []],
  ["actors", "GET /api/actors", "Failed to load actors", []],
  ["referrals", "GET /api/referrals", "Failed to load referrals", []],
  [
    "audit",
    "GET /api/admin/audit",
    "Failed to load the audit log",
    { entries: [], nextCursor: null },
  ],
  ["webhooks", "GET /api/admin/webhooks", "Failed to load the webhooks", []],
  ["reports", "GET /api/admin/reports", "Failed to load the reports", noReports],
] as const)(
  "reports a failed load of %s, and repeats it on Try Again",
  async (name, call, text, loaded) => {
    const { server } = await openAdminPage(`/admin/${name}`, { [call]: failed });
    await screen.findByText(text);
    // A list that failed to load must not look empty.
    expect(screen.queryByText(/^(Total: )?0 |^No .*\.$/)).toBeNull();
    server.reply(call, loaded);
    press("Try Again");
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    await screen.findByText(/^No .*\.$/);
  },
);

it.each([
  ["trash", "Failed to load the trash", "Trash", "GET /api/admin/trash"],
  ["storage", "Failed to load storage usage", "Storage", "GET /api/admin/storage"],
  ["system", "Failed to check the system", "System check", "GET /api/admin/doctor"],
  ["account", "Failed to load your account", "Your account", "GET /api/account"],
  ["account", "Failed to load your sessions", "Your account", "GET /api/account/sessions"],
  ["account", "Failed to load your tokens", "Your account", "GET /api/account/tokens"],
  ["people", "Failed to load the users", "People", "GET /api/admin/people"],
  ["safety", "Failed to load the settings", "Safety", "GET /api/settings"],
] as const)("keeps the heading of %s after %s", async (path, text, heading, call) => {
  const never = new Promise(() => {});
  const { server } = await openAdminPage(`/admin/${path}`, {
    "GET /api/account": account,
    "GET /api/account/sessions": never,
    "GET /api/account/tokens": never,
    [call]: failed,
  });
  await screen.findByText(text);
  screen.getByRole("heading", { level: 1, name: heading });
  press("Try Again");
  await waitFor(() => expect(server.sentTo(call)).toHaveLength(2));
});

const refetches = {
  focus: () => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })),
  reconnect: () => ["offline", "online"].forEach((type) => window.dispatchEvent(new Event(type))),
};
const removed = {
  ...{ id: "22222222-2222-4222-8222-222222222222", title: "Tides", thumbnail: null, duration: 61 },
  ...{ removedAt: "2026-03-04T10:00:00.000Z", removedBy: "ada@example.test", clips: 0 },
  ...{ goesAt: "2026-04-04T10:00:00.000Z", sizeBytes: 1 },
};
const trash = { videos: [removed], total: 1, sizeBytes: 1, hasClips: false, keptDays: 30 };
const storage = {
  ...{ originalBytes: 1, renditionBytes: 0, trashBytes: 0, freeBytes: null, users: [] },
  videos: [{ id: removed.id, title: "Tides", originalBytes: 1, renditionBytes: 0 }],
};
const tag = {
  ...{ id: removed.id, name: "Rain", slug: "rain", description: null, imageUrl: null },
  ...{ coverUrl: null, isPodcast: false, isSeries: false, videoCount: 1 },
  createdAt: removed.removedAt,
};

it.each([
  ["tags", "GET /api/tags", [tag], "Rain", "Failed to load tags"],
  ["trash", "GET /api/admin/trash", trash, "Tides", "Failed to load the trash"],
  ["storage", "GET /api/admin/storage", storage, "Tides", "Failed to load storage usage"],
] as const)(
  "keeps the rows of %s below a banner if a reload in the background fails",
  async (path, call, loaded, row, text) => {
    const { server } = await openAdminPage(`/admin/${path}`, { [call]: loaded });
    await screen.findByText(row);
    server.reply(call, failed);
    for (const refetch of Object.values(refetches)) {
      const before = server.sentTo(call).length;
      await act(() => vi.advanceTimersByTimeAsync(6000));
      act(() => void refetch());
      await waitFor(() => expect(server.sentTo(call).length).toBe(before + 1));
      await act(() => vi.advanceTimersByTimeAsync(100));
      screen.getByText(row);
      screen.getByText(text);
    }
    server.reply(call, loaded);
    press("Try Again");
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  },
);

it("reports a failed load of the blocked files in their dialog", async () => {
  await openAdminPage("/admin/reports", {
    "GET /api/admin/reports": noReports,
    "GET /api/admin/blocked-files": failed,
  });
  await screen.findByText("No reports found.");
  press("Blocked files");
  await screen.findByText("Failed to load the blocked files");
});

// A switch without a value would look like one that is off.
it.each([
  ["safety", "GET /api/settings", newSettings, "Ask visitors if they're 18 or older"],
  ["people", "GET /api/account", account, "Require two-factor sign-in"],
] as const)("shows no switch on %s before its value is known", async (path, call, value, name) => {
  const loaded = Promise.withResolvers<object>();
  const { server } = await openAdminPage(`/admin/${path}`, {
    "GET /api/admin/people": new Promise(() => {}),
    [call]: loaded.promise,
  });
  await waitFor(() => expect(server.sentTo(call)).toHaveLength(1));
  expect(screen.queryByRole("switch")).toBeNull();
  loaded.resolve(value);
  await screen.findByRole("switch", { name });
});

it.each([
  [
    "campaigns",
    "GET /api/campaigns",
    { campaigns: [], timeZone: "UTC" },
    "No campaigns yet",
    "ads",
    "Start with an advertiser",
  ],
  [
    "webhooks",
    "GET /api/admin/webhooks",
    [],
    "No webhooks yet.",
    "webhooks",
    "Add the first webhook",
  ],
  [
    "reports",
    "GET /api/admin/reports",
    noReports,
    "No reports found.",
    "moderation",
    "Open the safety settings",
  ],
] as const)(
  "explains empty %s with an example, a button and the docs",
  async (path, call, empty, title, docs, action) => {
    await openAdminPage(`/admin/${path}`, { [call]: empty });
    await screen.findByText(title);
    screen.getByText("Example:");
    screen.getByText(action);
    const link = screen.getByRole("link", { name: `Documentation: ${docs}` });
    expect(link.getAttribute("href")).toBe("/source");
  },
);

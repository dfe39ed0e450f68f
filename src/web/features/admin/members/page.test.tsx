// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Pass } from "#contract/visitors/passes.ts";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const list = "GET /api/admin/passes";
const ada: Pass = {
  id: "00000000-0000-4000-8000-000000000001",
  state: "active",
  note: "Ada",
  email: "ada@example.org",
  reference: "order-7",
  validUntil: "2027-05-03T12:00:00.000Z",
  maxDevices: 3,
  devices: 1,
  createdAt: "2026-03-04T10:00:00.000Z",
  lastUsedAt: null,
};
const one = `/api/admin/passes/${ada.id}`;
const code = "7K3M-0XQD-7K3M-0XQD-7K3M";
const opened = { ...ada, code, link: `https://videos.example/pass#${code}` };
const passes = (...shown: Pass[]) => ({ passes: shown, total: shown.length });
const dialogOf = (name: string) => screen.findByRole("dialog", { name });

afterEach(() => vi.restoreAllMocks());

it("creates a pass, shows its link, and sends it by email", async () => {
  const { server } = await openAdminPage("/admin/members", { [list]: passes() });
  await screen.findByText("Create a pass for your first member.");
  press("New pass");
  const form = await dialogOf("New pass");
  fill("Note", "Ada", form);
  fill("Email", "ada@example.org", form);
  server.reply("POST /api/admin/passes", failure(500));
  press("Create", form);
  await screen.findByText("Failed to create passes: Unknown error");

  server.reply("POST /api/admin/passes", opened);
  server.reply(`GET ${one}`, opened);
  server.reply(list, passes(ada));
  press("Create", form);
  const link = await dialogOf("Ada");
  expect(server.sentTo("POST /api/admin/passes").at(-1)?.body).toEqual({
    note: "Ada",
    email: "ada@example.org",
    days: 30,
    devices: 3,
  });
  expect(await within(link).findByDisplayValue(opened.link)).toBeInstanceOf(HTMLInputElement);
  within(link).getByDisplayValue(code);
  within(link).getByRole("img", { name: "QR code of the link" });

  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  press("Copy link", link);
  await screen.findByText("Link copied to clipboard!");
  expect(writeText).toHaveBeenCalledWith(opened.link);

  server.reply(`POST ${one}/mail`, failure(409, "SMTP_URL isn't set.", "conflict"));
  press("Send by email", link);
  await screen.findByText("Couldn't send the email: SMTP_URL isn't set.");
  server.reply(`POST ${one}/mail`, new Response(null, { status: 204 }));
  press("Send by email", link);
  await screen.findByText("Sent the link");
});

it("creates several passes until a day, and saves their links as a file", async () => {
  const { server } = await openAdminPage("/admin/members", { [list]: passes() });
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  const blobs: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.push(blob);
    return "blob:x";
  });
  await screen.findByText("No passes found.");
  press("New pass");
  const form = await dialogOf("New pass");
  fill(/^Number of passes/, "2", form);
  expect(within(form).queryByLabelText("Email")).toBeNull();
  fill("Valid", "date", form);
  fill(/^Last day/, "2031-05-03", form);
  fill(/^Devices/, "1", form);
  server.reply("POST /api/admin/passes/batch", { passes: [opened, opened] });
  press("Create", form);
  await screen.findByText("Created 2 passes. The file has their links.");
  expect(server.sentTo("POST /api/admin/passes/batch")[0]?.body).toEqual({
    note: "",
    devices: 1,
    validUntil: new Date("2031-05-03T23:59:59").toISOString(),
    count: 2,
  });
  expect(saved).toHaveBeenCalledOnce();
  expect(await blobs[0]?.text()).toBe(
    `code,link,valid_until\r\n${`${code},${opened.link},${ada.validUntil}\r\n`.repeat(2)}`,
  );
});

it("sends only the changed fields of a pass, and shows errors beside their fields", async () => {
  const issue = { path: "days", message: "at most 3660 days" };
  const { server } = await openAdminPage("/admin/members", {
    [list]: passes(ada),
    [`PUT ${one}`]: Response.json(
      { code: "invalid", message: "Check the form.", issues: [issue] },
      { status: 400 },
    ),
  });
  await screen.findByRole("row", { name: /Ada/ });
  press("Edit Ada");
  const form = await dialogOf("Edit pass");
  fill("Valid", "days", form);
  fill(/^Days/, "40", form);
  press("Save", form);
  await within(form).findByText("at most 3660 days");
  server.reply(`PUT ${one}`, opened);
  press("Save", form);
  await waitFor(() => expect(form.isConnected).toBe(false));
  expect(server.sentTo(`PUT ${one}`)[0]?.body).toEqual({ days: 40 });

  press("Edit Ada");
  const again = await dialogOf("Edit pass");
  fill(/^Devices/, "2", again);
  press("Save", again);
  await waitFor(() => expect(again.isConnected).toBe(false));
  expect(server.sentTo(`PUT ${one}`).at(-1)?.body).toEqual({ devices: 2 });
});

it("revokes a pass after a confirmation, and reports a failure", async () => {
  const { server } = await openAdminPage("/admin/members", {
    [list]: passes(ada),
    [`DELETE ${one}`]: failure(500),
  });
  await screen.findByRole("row", { name: /Ada/ });
  const question =
    'Are you sure you want to revoke "Ada"? Playback ends on all its devices within a minute. This action cannot be undone.';
  press("Revoke Ada");
  await choose(question, "Revoke");
  await screen.findByText("Failed to revoke the pass: Unknown error");
  server.reply(`DELETE ${one}`, new Response(null, { status: 204 }));
  server.reply(list, passes({ ...ada, state: "revoked" }));
  press("Revoke Ada");
  await choose(question, "Revoke");
  const row = await screen.findByRole("row", { name: /Revoked/ });
  // A revoked pass can't be changed any more.
  expect(within(row).queryByRole("button", { name: /^(Edit|Revoke)/ })).toBeNull();
});

it("searches and filters passes, and reports a list or link that can't be loaded", async () => {
  const old: Pass = { ...ada, state: "expired", note: null, email: null, devices: 3 };
  const { server } = await openAdminPage("/admin/members?search=order&state=expired", {
    [list]: failure(500),
    [`GET ${one}`]: failure(
      409,
      "This pass was created with another SECRETS_KEY, so its link can't be shown. Create a new pass.",
      "conflict",
    ),
  });
  await screen.findByText("Failed to load passes");
  server.reply(list, passes(old));
  press("Try Again");
  const row = await screen.findByRole("row", { name: /order-7/ });
  expect(server.sentTo(list)[0]?.url).toBe(
    "/api/admin/passes?search=order&state=expired&limit=10&offset=0",
  );
  for (const text of ["Expired", "3 of 3"]) within(row).getByText(text);
  press("Link and QR code of order-7");
  await screen.findByText(/This pass was created with another SECRETS_KEY/);
});

// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Referral } from "#contract/visitors/referrals.ts";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const list = "GET /api/referrals";
const flyer: Referral = {
  id: "00000000-0000-4000-8000-000000000001",
  code: "flyer",
  name: "Flyer",
  target: "/home",
  note: null,
  isActive: true,
  createdAt: "2026-03-04T10:00:00.000Z",
  visits: 12,
  uniqueVisitors: 7,
  plays: 3,
};
const one = `/api/referrals/${flyer.id}`;

it("creates a referral, and shows its link and counts", async () => {
  const { server } = await openAdminPage("/admin/referrals", { [list]: [] });
  await screen.findByText("No referrals found.");
  screen.getByText("Create your first referral link!");
  press("Add Referral");
  const dialog = await screen.findByRole("dialog", { name: "Add Referral" });
  fill(/^Name/, "Flyer", dialog);
  fill(/^Code/, "flyer", dialog);
  fill(/^Target/, "/home", dialog);
  server.reply("POST /api/referrals", flyer);
  server.reply(list, [flyer]);
  press("Create", dialog);
  const row = await screen.findByRole("row", { name: /\/home · \?ref=flyer/ });
  for (const count of ["12", "7", "3"]) within(row).getByText(count);
  expect(server.sentTo("POST /api/referrals")[0]?.body).toMatchObject({
    name: "Flyer",
    code: "flyer",
    target: "/home",
  });
});

it("changes a referral, and keeps the form open after a failure", async () => {
  const { server } = await openAdminPage("/admin/referrals", {
    [list]: [flyer],
    [`PUT ${one}`]: failure(500),
  });
  await screen.findByRole("row", { name: /Flyer/ });
  press("Edit Flyer");
  const dialog = await screen.findByRole("dialog", { name: "Edit Referral" });
  fill(/^Note/, "In the shop", dialog);
  press("Update", dialog);
  await screen.findByText("Failed to update referral: Unknown error");
  const changed = { ...flyer, note: "In the shop" };
  server.reply(`PUT ${one}`, changed);
  server.reply(list, [changed]);
  press("Update", dialog);
  await within(await screen.findByRole("row", { name: /Flyer/ })).findByText("In the shop");
  expect(server.sentTo(`PUT ${one}`)[1]?.body).toEqual({ note: "In the shop" });
});

it("deletes a referral after a confirmation, and reports a failure", async () => {
  const { server } = await openAdminPage("/admin/referrals", {
    [list]: [flyer],
    [`DELETE ${one}`]: failure(500),
  });
  await screen.findByRole("row", { name: /Flyer/ });
  const question = 'Are you sure you want to delete "Flyer"? Its counts are deleted too.';
  press("Delete Flyer");
  await choose(question, "Delete");
  await screen.findByText("Failed to delete referral: Unknown error");
  server.reply(`DELETE ${one}`, {});
  server.reply(list, []);
  press("Delete Flyer");
  await choose(question, "Delete");
  await screen.findByText("No referrals found.");
});

it("shows referrals read-only to analysts", async () => {
  await openAdminPage("/admin/referrals", { [list]: [flyer] }, { role: "ANALYST" });
  await screen.findByRole("button", { name: "Statistics for Flyer" });
  expect(screen.queryByRole("button", { name: /^(Add|Edit|Delete)/ })).toBeNull();
});

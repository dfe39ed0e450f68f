// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

const read = "GET /api/admin/doctor";
const good = { about: "schema", state: "ok", says: "up to date", means: "-", advice: null };
const report = { findings: [good], host: "a", checkedAt: "2026-03-04T10:00:00.000Z" };

it("lists required actions first, failures before warnings, and keeps them if the next check fails", async () => {
  const address = {
    about: "address",
    state: "warning",
    says: "http://localhost only works on this machine",
    means: "links of e-mails",
    advice: "Set SITE_URL",
  };
  const disk = { ...address, about: "disk", state: "failure", advice: "Delete some files" };
  const { server } = await openAdminPage("/admin/system", {
    [read]: { ...report, findings: [good, address, disk] },
  });
  await screen.findByText(/^2 issues to fix, checked on .* \(a\)$/);
  const [first, second] = screen.getAllByRole("listitem").map((item) => within(item));
  first?.getByText("Failure");
  first?.getByText("Delete some files");
  second?.getByText("Warning");
  second?.getByText(address.says);
  screen.getByRole("heading", { name: "Schema" });

  server.reply(read, report);
  press("Check again");
  await screen.findByText(/^Everything looks good, checked on .* \(a\)$/);
  await waitFor(() => expect(screen.queryByText("Delete some files")).toBeNull());

  server.reply(read, failure(404));
  press("Check again");
  await screen.findByText("Failed to check the system");
  screen.getByText(/^Everything looks good/);
  screen.getByRole("heading", { name: "Schema" });
});

// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { SiteSettings } from "#contract/site/settings.ts";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";
import { newSettings } from "../settings/settings.fixture.ts";

const read = "GET /api/settings";
const save = "POST /api/settings";
const words = /^Words that hold/;
const settingsOf = (values: Partial<SiteSettings>): SiteSettings => ({
  ...newSettings,
  ...{ comments: "open", commentWords: ["spam"], version: 1 },
  ...values,
});
const wordsShown = () => screen.getByLabelText<HTMLTextAreaElement>(words).value;

async function open() {
  const opened = await openAdminPage("/admin/safety", { [read]: settingsOf({}) });
  await screen.findByLabelText(words);
  return opened;
}

it("preserves typed texts while other settings change, and while comments are off", async () => {
  const { server } = await open();
  fill(words, "spam\ncasino");
  fill(/^Blocked countries/, "DE");
  const theirs = { commentWords: ["spam", "pills"], blockedCountries: ["FR"] };
  for (const [comments, version] of [
    ["off", 2],
    ["open", 3],
  ] as const) {
    server.reply(save, settingsOf({ ...theirs, comments, version }));
    server.reply(read, settingsOf({ ...theirs, comments, version }));
    fill("Comments below videos", comments);
    await waitFor(() => expect(server.sentTo(read)).toHaveLength(version));
  }
  expect(wordsShown()).toBe("spam\ncasino");
  screen.getByDisplayValue("DE");
});

it("shows the words that someone else saves, and sends the version it shows", async () => {
  const { server } = await open();
  fill(words, "spam\ncasino");
  server.reply(save, failure(409, "Someone else changed the settings", "edit_conflict"));
  server.reply(read, settingsOf({ commentWords: ["spam", "pills"], commentLinks: 5, version: 2 }));
  press("Save filters");
  await screen.findByRole("alert", { name: "Edit conflict" });
  server.reply(save, settingsOf({ commentWords: ["spam", "casino"], commentLinks: 5, version: 3 }));
  press(/^Keep mine: Words/);
  press("Save filters");
  await waitFor(() => expect(server.sentTo(save)).toHaveLength(2));
  expect(server.sentTo(save).map(({ body }) => body)).toEqual([
    { commentWords: ["spam", "casino"], commentLinks: 2, version: 1 },
    { commentWords: ["spam", "casino"], commentLinks: 5, version: 2 },
  ]);
});

it("asks before it is left with unsaved texts", async () => {
  const { router } = await open();
  fill(/^Blocked countries/, "DE");
  await act(() => router.navigate("/admin/account"));
  await choose("Discard your changes?", "Cancel");
  expect(router.state.location.pathname).toBe("/admin/safety");
});

// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fill, press } from "#test/harness/press.ts";
import { openPublicPage } from "#web/app/public-page.fixture.tsx";
import { authMessages as messages } from "./messages.ts";

it.each([
  ["/auth/forgot", messages.email, "ada@example.test", messages.sendLink, messages.forgotSent],
  [
    "/auth/reset?token=t",
    messages.newPassword,
    "a long password",
    messages.savePassword,
    messages.resetDone,
  ],
])(
  "moves the focus to the message that replaces the form of %s",
  async (path, label, value, button, done) => {
    const call = `POST /api${path.replace(/\?.*/, "")}`;
    const { server } = await openPublicPage(path, { [call]: {} });
    fill(label, value);
    press(button);
    expect(await screen.findByText(done)).toBe(document.activeElement);
    expect(server.sentTo(call)).toHaveLength(1);
  },
);

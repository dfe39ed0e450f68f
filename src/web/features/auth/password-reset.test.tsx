// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it } from "vitest";
import { fill, press } from "#test/harness/press.ts";
import { openPublicPage } from "#web/app/public-page.fixture.tsx";
import { Component as ForgotPage } from "./forgot-page.tsx";
import { authMessages as messages } from "./messages.ts";
import { Component as ResetPage } from "./reset-page.tsx";

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

it.each([
  ["forgot", ForgotPage],
  ["reset", ResetPage],
])("shows no form before scripts can send it: %s", (_name, Page) => {
  const router = createMemoryRouter([{ path: "/", Component: Page }]);
  const html = renderToString(<RouterProvider router={router} />);
  expect(html).not.toContain("<form");
  expect(html).toContain(messages.noScripts);
});

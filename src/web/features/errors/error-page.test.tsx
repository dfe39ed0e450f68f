// @vitest-environment happy-dom
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { render, screen } from "@testing-library/react";
import { ErrorPage } from "./error-page.tsx";

function renderFailure(error: Error) {
  const router = createMemoryRouter([
    {
      path: "/",
      loader: () => {
        throw error;
      },
      Component: () => null,
      ErrorBoundary: ErrorPage,
      HydrateFallback: () => null,
    },
  ]);
  render(<RouterProvider router={router} />);
}

test.each([
  "Failed to fetch dynamically imported module: /assets/page.js",
  "error loading dynamically imported module: /assets/page.js",
  "Importing a module script failed.",
])("offers a reload without claiming an update after %j", async (message) => {
  renderFailure(new TypeError(message));
  expect((await screen.findByRole("heading")).textContent).toBe("Something went wrong");
  expect(screen.getByRole("button").textContent).toBe("Reload");
});

test("offers another attempt if the site can't be reached", async () => {
  renderFailure(new TypeError("Load failed"));
  expect((await screen.findByRole("heading")).textContent).toBe("No connection");
  expect(screen.getByRole("button").textContent).toBe("Try Again");
});

// @vitest-environment happy-dom
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { render } from "#web/lib/render.fixture.ts";
import { ErrorPage } from "./error-page.tsx";

async function renderFailure(error: Error) {
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
  return render(<RouterProvider router={router} />);
}

test.each([
  "Failed to fetch dynamically imported module: /assets/page.js",
  "error loading dynamically imported module: /assets/page.js",
  "Importing a module script failed.",
])("offers a reload without claiming an update after %j", async (message) => {
  const screen = await renderFailure(new TypeError(message));
  expect(screen.get("heading").textContent).toBe("Something went wrong");
  expect(screen.get("button").textContent).toBe("Reload");
});

test("offers another attempt if the site can't be reached", async () => {
  const screen = await renderFailure(new TypeError("Load failed"));
  expect(screen.get("heading").textContent).toBe("No connection");
  expect(screen.get("button").textContent).toBe("Try Again");
});

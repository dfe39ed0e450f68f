// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it } from "vitest";
import { RootLayout } from "./root-layout.tsx";

it("restores scroll positions itself, also after a return from the back/forward cache", () => {
  render(<RouterProvider router={createMemoryRouter([{ path: "*", Component: RootLayout }])} />);
  expect(history.scrollRestoration).toBe("manual");
  window.dispatchEvent(new Event("pagehide"));
  expect(history.scrollRestoration).toBe("auto");
  window.dispatchEvent(new Event("pageshow"));
  expect(history.scrollRestoration).toBe("manual");
});

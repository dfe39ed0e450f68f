// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it, vi } from "vitest";
import { RootLayout } from "./root-layout.tsx";

const renderLayout = () =>
  render(<RouterProvider router={createMemoryRouter([{ path: "*", Component: RootLayout }])} />);

it("restores scroll positions itself, also after a return from the back/forward cache", () => {
  renderLayout();
  expect(history.scrollRestoration).toBe("manual");
  window.dispatchEvent(new Event("pagehide"));
  expect(history.scrollRestoration).toBe("auto");
  window.dispatchEvent(new Event("pageshow"));
  expect(history.scrollRestoration).toBe("manual");
});

it("saves the scroll position when the page is hidden, because the browser may discard it", () => {
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
  renderLayout();
  vi.spyOn(window, "scrollY", "get").mockReturnValue(640);
  window.dispatchEvent(new Event("scroll"));
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(sessionStorage.getItem("scroll")).toContain(":640");
  expect(history.scrollRestoration).toBe("manual");
  vi.restoreAllMocks();
});

// @vitest-environment happy-dom
import { createMemoryRouter, RouterProvider, useParams } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { act, render, screen } from "@testing-library/react";
import { NextOverlay } from "./next-overlay.tsx";

afterEach(() => {
  vi.useRealTimers();
});

const next = { href: "/video/two", title: "Two", thumbnail: null };

async function wait(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    await act(() => vi.advanceTimersByTimeAsync(1000));
  }
}

test("waits while a form is in use or holds a typed text", async () => {
  vi.useFakeTimers();
  const router = createMemoryRouter([
    { path: "/", element: <NextOverlay next={next} /> },
    { path: "/video/two", element: <p>Two</p> },
  ]);
  const form = document.body.appendChild(document.createElement("form"));
  const field = form.appendChild(document.createElement("textarea"));
  field.focus();
  render(<RouterProvider router={router} />);
  await wait(20);
  expect(router.state.location.pathname).toBe("/");
  field.value = "Half a comment";
  field.blur();
  await wait(20);
  expect(router.state.location.pathname).toBe("/");
  field.value = "";
  await wait(9);
  expect(router.state.location.pathname).toBe("/video/two");
});

test("starts over after a second video that was removed", async () => {
  vi.useFakeTimers();
  function RemovedVideo() {
    const number = Number(useParams().number);
    return <NextOverlay next={{ ...next, href: `/video/${Math.min(number + 1, 3)}` }} />;
  }
  const routes = [{ path: "/video/:number", element: <RemovedVideo /> }];
  const router = createMemoryRouter(routes, { initialEntries: ["/video/1"] });
  render(<RouterProvider router={router} />);
  await wait(9);
  expect(router.state.location.pathname).toBe("/video/2");
  await wait(5);
  expect(router.state.location.pathname).toBe("/video/2");
});

test("announces the countdown once, while it runs on the screen", async () => {
  vi.useFakeTimers();
  const router = createMemoryRouter([{ path: "/", element: <NextOverlay next={next} /> }]);
  render(<RouterProvider router={router} />);
  const visible = () => document.querySelector(".player-next-lead")?.textContent;
  const [announced, first] = [screen.getByRole("status").textContent, visible()];
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(visible()).not.toBe(first);
  expect(screen.getByRole("status").textContent).toBe(announced);
});

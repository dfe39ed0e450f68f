// @vitest-environment happy-dom
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { act, render, screen } from "@testing-library/react";
import { Component } from "./trending-page.tsx";

test("shows twelve skeleton cards while another time range loads", async () => {
  const list = { videos: [], total: 0, nextCursor: null, didYouMean: null };
  const loaded = { range: "week", stats: null, result: { isLoaded: true, list } };
  const next = Promise.withResolvers<object>();
  const router = createMemoryRouter(
    [
      {
        path: "/trending",
        loader: ({ request }) => (request.url.endsWith("=today") ? next.promise : loaded),
        Component,
        HydrateFallback: () => null,
      },
    ],
    { initialEntries: ["/trending"] },
  );
  const { container } = render(<RouterProvider router={router} />);
  const countCards = () => container.querySelectorAll("[data-skeleton-card]").length;
  await screen.findByRole("heading", { level: 1 });
  expect(countCards()).toBe(0);
  await act(async () => void router.navigate("/trending?timeRange=today"));
  expect([countCards(), container.querySelector("nav") === null]).toEqual([12, false]);
  await act(async () => next.resolve({ ...loaded, range: "today" }));
  expect(countCards()).toBe(0);
});

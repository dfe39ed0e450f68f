// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { CardList, CardVideo } from "#web/lib/lists/card-video.ts";
import { recallList, rememberList } from "#web/lib/lists/list-memory.ts";
import { usePagedList } from "./video-list.tsx";

const listOf = (...slugs: string[]): CardList => ({
  videos: slugs.map((slug) => ({ slug }) as CardVideo),
  total: slugs.length,
  nextCursor: null,
  didYouMean: null,
});

function List() {
  const { list } = usePagedList({
    memoryKey: "k",
    first: listOf("new", "a"),
    fetchPage: () => Promise.reject(new Error("not called")),
  });
  return list.videos.map(({ slug }) => slug).join(" ");
}

function loadDocument(type: NavigationTimingType): string {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([
    { type } as PerformanceNavigationTiming,
  ]);
  const container = document.createElement("div");
  container.innerHTML = renderToString(<List />);
  render(<List />, { container, hydrate: true });
  return container.textContent;
}

test("restores the list at its length if Back loads the document", () => {
  rememberList("k", listOf("a", "b", "c"));
  expect(loadDocument("back_forward")).toBe("a b c");
});

test.each(["reload", "navigate"] as const)(
  "starts a new list and forgets the old one on %s",
  (type) => {
    rememberList("k", listOf("a", "b", "c"));
    expect(loadDocument(type)).toBe("new a");
    expect(recallList("k")).toBeNull();
  },
);

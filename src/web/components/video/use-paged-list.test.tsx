// @vitest-environment happy-dom
import { act } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, onTestFinished, test, vi } from "vitest";
import "#web/lib/render.fixture.ts";
import type { CardList, CardVideo } from "#web/lib/lists/card-video.ts";
import { recallList, rememberList } from "#web/lib/lists/list-memory.ts";
import { usePagedList } from "./use-paged-list.ts";

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

async function loadDocument(type: NavigationTimingType): Promise<string> {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([
    { type } as PerformanceNavigationTiming,
  ]);
  const container = document.createElement("div");
  container.innerHTML = renderToString(<List />);
  const root = await act(async () => hydrateRoot(container, <List />));
  onTestFinished(() => act(async () => root.unmount()));
  return container.textContent;
}

test("restores the list at its length if Back loads the document", async () => {
  rememberList("k", listOf("a", "b", "c"));
  expect(await loadDocument("back_forward")).toBe("a b c");
});

test.each(["reload", "navigate"] as const)(
  "starts a new list and forgets the old one on %s",
  async (type) => {
    rememberList("k", listOf("a", "b", "c"));
    expect(await loadDocument(type)).toBe("new a");
    expect(recallList("k")).toBeNull();
  },
);

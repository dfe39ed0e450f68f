// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { failure } from "#test/harness/stub-fetch.ts";
import { fill } from "#test/harness/press.ts";
import { openPublicPage } from "#web/app/public-page.fixture.tsx";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";

const openSearch = (replies: Record<string, unknown> = {}, query = "") =>
  openPublicPage(`/search${query}`, {
    "GET /api/videos": { videos: [adminVideo()], total: 30, nextCursor: null },
    "GET /api/tags": [],
    ...replies,
  });

const field = () => screen.getByRole("combobox", { name: "Search videos" });
/** Presses a key once the box listens to it. */
const key = async (name: string) => {
  await act(async () => undefined);
  fireEvent.keyDown(field(), { key: name });
};
const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);

test("shows no number of results after a failed load", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const { server, container } = await openSearch({}, "?search=study");
  const count = container.querySelector("main p[role=status]:not(.sr-only)");
  expect(count?.textContent).toBe("30 videos");
  server.reply("GET /api/videos", failure(503, "no"));
  fill("Length", "short");
  await screen.findByText("Failed to fetch videos: 503");
  expect(window.location.search).toBe("?search=study&length=short");
  expect(count?.textContent).toBe("");
});

test.each(["newest", "most_viewed", "top_rated", "trending"])("sorts by %s", async (sort) => {
  const { server } = await openSearch({}, `?search=study&sort=${sort}`);
  expect(server.sentTo("GET /api/videos").at(-1)?.url).toContain(`?sort=${sort}`);
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Sort by" }).value).toBe(sort);
});

test("highlights words after an apostrophe", async () => {
  const videos = [adminVideo({ title: "L’amour, l'été, dʼAix" })];
  const list = { videos, total: 1, nextCursor: null };
  const { container } = await openSearch({ "GET /api/videos": list }, "?search=amour ete aix");
  const marks = [...container.querySelectorAll("mark")];
  expect(marks.map(({ textContent }) => textContent)).toEqual(["L’amour", "l'été", "dʼAix"]);
});

test("suggests while typing, and supports the keyboard", async () => {
  await openSearch({
    "GET /api/search/suggest": {
      suggestions: [
        { kind: "title", text: "Study 9", slug: "study-9" },
        { kind: "tag", text: "slow", slug: "slow" },
      ],
    },
    "GET /api/tags/slow": failure(404, "no", "not_found"),
  });
  act(() => field().focus());
  await screen.findByRole("listbox", { hidden: true });
  fireEvent.input(field(), { target: { value: "s" } });
  await waitFor(() =>
    expect(options()).toEqual([expect.stringMatching("Study 9"), expect.stringMatching("slow")]),
  );
  const [study, slow] = screen.getAllByRole("option");
  // The part that isn't typed yet is emphasised.
  const emphasised = [...(study?.querySelectorAll("bdi .font-semibold") ?? [])];
  expect(emphasised.map(({ textContent }) => textContent).join("")).toBe("tudy 9");
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView");
  await key("ArrowDown");
  await key("ArrowDown");
  expect(field().getAttribute("aria-activedescendant")).toBe(slow?.id);
  expect(scroll.mock.contexts.at(-1)).toBe(slow);
  await key("Escape");
  await waitFor(() => expect(options()).toEqual([]));
  await key("ArrowDown");
  await waitFor(() => expect(options()).toHaveLength(2));
  await key("ArrowUp");
  await act(() => key("Enter"));
  await waitFor(() => expect(window.location.pathname).toBe("/tags/slow"));
});

/** Replaces text nodes, like browsers that translate the page. */
function translate(root: Element) {
  const texts = document.createNodeIterator(root, NodeFilter.SHOW_TEXT);
  const found: Node[] = [];
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) found.push(text);
  for (const text of found) {
    const font = document.createElement("font");
    text.parentNode?.replaceChild(font, text);
    font.append(text);
  }
}

test("updates translated suggestions while typing", async () => {
  const suggestions = [{ kind: "title", text: "A study of slow tides", slug: "study" }];
  await openSearch({ "GET /api/search/suggest": { suggestions } });
  act(() => field().focus());
  const list = await screen.findByRole("listbox", { hidden: true });
  for (const typed of ["x", "stu", "study", "study of sl", "y"]) {
    fireEvent.input(field(), { target: { value: typed } });
    await waitFor(() => expect(options()).toEqual([expect.stringMatching(/^A study of slow/)]));
    translate(list);
  }
  expect(screen.queryByRole("heading", { name: "Something went wrong" })).toBeNull();
});

test("has a single search box, and removes recent searches one by one", async () => {
  localStorage.setItem("kinora.searches", JSON.stringify(["one", "two", "three"]));
  await openSearch();
  expect(screen.getAllByRole("combobox", { name: "Search videos" })).toHaveLength(1);
  fireEvent.keyDown(document.body, { key: "/" });
  expect(document.activeElement).toBe(field());
  await waitFor(() => expect(options()).toHaveLength(4));
  await key("ArrowDown");
  await key("ArrowDown");
  await key("Delete");
  await waitFor(() => expect(options()).toEqual(["one", "three", "Clear recent searches"]));
  const cross = screen.getByRole("option", { name: "one" }).querySelector(":scope > span");
  if (cross !== null) fireEvent.click(cross);
  await waitFor(() => expect(options()).toEqual(["three", "Clear recent searches"]));
  expect(localStorage.getItem("kinora.searches")).toBe('["three"]');
  fireEvent.click(screen.getByRole("option", { name: "Clear recent searches" }));
  await waitFor(() => expect(options()).toEqual([]));
  expect(localStorage.getItem("kinora.searches")).toBeNull();
});

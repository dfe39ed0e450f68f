// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from "vitest";
import type { DataRouter } from "react-router";
import { followLinks, separateDocuments } from "./follow-links.ts";

let went: unknown[] | undefined;
let onClick: (event: MouseEvent) => unknown;
beforeAll(() => {
  const added = vi.spyOn(document, "addEventListener");
  followLinks(document, {
    navigate: async (...given: unknown[]) => {
      went = given;
    },
  });
  const listener = added.mock.lastCall?.[1];
  if (typeof listener !== "function") throw new Error("nothing listens for clicks");
  onClick = listener;
});

/**
 * Clicks the picture in a link. The event isn't dispatched, because the test's document would
 * follow the link before any listener of the page could prevent that.
 * @returns the path that the router opened, or undefined if the browser follows the link itself.
 */
function click(
  attributes: Record<string, string>,
  how: MouseEventInit = {},
): unknown[] | undefined {
  went = undefined;
  const anchor = document.createElement("a");
  for (const [name, value] of Object.entries(attributes)) anchor.setAttribute(name, value);
  const picture = anchor.appendChild(document.createElement("img"));
  document.body.append(anchor);
  const event = new MouseEvent("click", { cancelable: true, ...how });
  Object.defineProperty(event, "target", { value: picture });
  onClick(event);
  anchor.remove();
  expect(event.defaultPrevented).toBe(went !== undefined);
  return went;
}

it("navigates to pages of the app and preserves the query and fragment", () => {
  const plain = { state: null, replace: false };
  expect(click({ href: "/search?q=a#b" })).toEqual(["/search?q=a#b", plain]);
  expect(click({ href: "/home", "data-keep-scroll": "" })).toEqual([
    "/home",
    { state: { keepScroll: true }, replace: false },
  ]);
  expect(click({ href: "/home", "data-replace": "" })).toEqual([
    "/home",
    { state: null, replace: true },
  ]);
});

const otherDocuments = ["/admin", "/admin/videos", "/auth/signin", "/setup", "/library", "/terms"];

it.each(otherDocuments)("lets the browser open %s as a new document", (href) =>
  expect(click({ href })).toBeUndefined(),
);

it.each(["/auth/reset?token=a", "/private/abc", "/library", "/admin"])(
  "lets the browser leave %s with a new document",
  (page) => {
    history.replaceState(null, "", page);
    try {
      expect(click({ href: "/home" })).toBeUndefined();
      expect(click({ href: "/auth/signin" })).toBeUndefined();
    } finally {
      history.replaceState(null, "", "/");
    }
  },
);

it("loads a document for navigations by components, too", async () => {
  const stay = vi.fn(async (_to: unknown) => {});
  const router: Pick<DataRouter, "navigate"> = { navigate: stay };
  separateDocuments(router);
  const opened: unknown[] = [];
  vi.spyOn(window.location, "assign").mockImplementation((url) => opened.push(["assign", url]));
  vi.spyOn(window.location, "replace").mockImplementation((url) => opened.push(["replace", url]));

  history.replaceState(null, "", "/home?search=a");
  await router.navigate("/video/b");
  await router.navigate({ search: "?search=c" }, { replace: true });
  await router.navigate(-1);
  expect(stay.mock.calls.map(([to]) => to)).toEqual(["/video/b", { search: "?search=c" }, -1]);
  expect(opened).toEqual([]);

  await router.navigate("/admin", { replace: true });
  await router.navigate({ pathname: "/library", search: "?tab=history" });
  history.replaceState(null, "", "/auth/signin");
  await router.navigate("/admin/videos?edit=1", { replace: true });
  await router.navigate("/home");
  expect(opened).toEqual([
    ["replace", "/admin"],
    ["assign", "/library?tab=history"],
    ["replace", "/admin/videos?edit=1"],
    ["assign", "/home"],
  ]);
  expect(stay).toHaveBeenCalledTimes(3);
  history.replaceState(null, "", "/");
});

it.each<Record<string, string>>([
  { href: "https://evil.example/home" },
  { href: "javascript:alert(1)" },
  { href: "/api/videos" },
  { href: "/feed.rss" },
  { href: "/home", target: "_blank" },
  { href: "/home", download: "" },
  { href: "/de/home", hreflang: "de" },
])("lets the browser handle %o", (attributes) => expect(click(attributes)).toBeUndefined());

it.each<MouseEventInit>([
  { ctrlKey: true },
  { metaKey: true },
  { shiftKey: true },
  { altKey: true },
  { button: 1 },
])("lets the browser handle a click with %o", (how) =>
  expect(click({ href: "/home" }, how)).toBeUndefined(),
);

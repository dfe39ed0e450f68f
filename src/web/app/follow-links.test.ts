// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from "vitest";
import { followLinks } from "./follow-links.ts";

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

it.each(["/admin", "/admin/videos", "/auth/signin", "/setup"])(
  "lets the browser open %s as a new document",
  (href) => expect(click({ href })).toBeUndefined(),
);

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

// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";

interface Place {
  pathname: string;
  search: string;
}

/** Opens a page from a referrer, follows links and returns the play origin of the last page. */
async function originOf(address: string, referrer: string, ...then: string[]): Promise<string> {
  vi.resetModules();
  const { notePages, playOrigin } = await import("./play-origin.ts");
  window.history.replaceState(null, "", address);
  vi.spyOn(document, "referrer", "get").mockReturnValue(
    referrer.startsWith("/") ? window.location.origin + referrer : referrer,
  );
  const placeOf = (path: string): Place => new URL(path, window.location.origin);
  const router = { state: { location: placeOf(address) }, follow: (_: unknown) => {} };
  notePages({
    ...router,
    subscribe(follow: (state: unknown) => void) {
      router.follow = follow;
      return () => {};
    },
  } as unknown as Parameters<typeof notePages>[0]);
  for (const path of then) router.follow({ location: placeOf(path) });
  return playOrigin();
}
afterEach(() => vi.restoreAllMocks());

it.each([
  ["/video/a", "", "direct"],
  ["/video/a", "https://other.example/page", "external"],
  ["/video/a?ref=flyer", "https://other.example/", "referral"],
  ["/embed/a", "https://other.example/", "embed"],
  ["/video/a", "/home", "lists"],
  ["/video/a", "/home?search=night", "search"],
  ["/video/a", "/admin/videos", "direct"],
])("returns the origin of %s from %j as %s", async (address, referrer, origin) => {
  expect(await originOf(address, referrer)).toBe(origin);
});

it.each([
  [["/", "/video/a"], "feed"],
  [["/search", "/video/a"], "search"],
  [["/home", "/home?search=x", "/video/a"], "search"],
  [["/home?search=x", "/video/a", "/video/b"], "related"],
  [["/library", "/video/a"], "library"],
  [["/tags/rain", "/video/a", "/video/a?t=5"], "lists"],
])(
  "attributes a visit to %j to the origin %s, whatever opened the tab",
  async ([first = "", ...then], origin) => {
    expect(await originOf(first, "https://other.example/", ...then)).toBe(origin);
  },
);

import { beforeAll, expect, it } from "vitest";
import {
  canShareDocument,
  hasSecretAddress,
  isBackOfficePage,
  trustedAdPageOf,
} from "#contract/site/page-zones.ts";
import { adminRoutes } from "#web/features/admin/admin-pages.ts";
import { isPageHandle } from "#web/lib/page/page-route.ts";
import { pagesOf } from "./page-queries.ts";
import { routes } from "./routes.tsx";

/** Every page with its complete path and whether its handle allows trusted ads. */
const pages = new Map<string, boolean>();

beforeAll(async () => {
  for (const { path, loadHandle } of [...pagesOf(routes), ...pagesOf(adminRoutes)]) {
    const handle = await loadHandle();
    pages.set(path, isPageHandle(handle) && handle.allowsTrustedAds === true);
  }
});

it("allows trusted ads on the pages of the table whose handles say so, and on no other", () => {
  expect(pages.size).toBeGreaterThan(50);
  const allowing = [...pages].filter(([, allows]) => allows).map(([path]) => path);
  expect(allowing).toHaveLength(14);
  for (const [path, allows] of pages) {
    expect({ path, allows }).toEqual({ path, allows: trustedAdPageOf(path) === path });
  }
});

it("allows no trusted ad where a password, a secret or a visitor's library is", () => {
  const closed = [...pages.keys()].filter((path) =>
    /^\/(admin|auth|setup|private|report|takedown|library|partner|comments)(\/|$)/.test(path),
  );
  expect(closed.length).toBeGreaterThan(35);
  for (const path of closed) {
    expect({ path, page: trustedAdPageOf(path) }).toEqual({ path, page: null });
    for (const spelling of [`${path}/`, path.toUpperCase()]) {
      expect(trustedAdPageOf(spelling)).toBeNull();
    }
    // Entering and leaving it loads a document.
    expect(canShareDocument("/home", path)).toBe(false);
    expect(canShareDocument(path, "/home")).toBe(false);
    expect(canShareDocument(path, "/admin")).toBe(isBackOfficePage(path));
  }
  expect(trustedAdPageOf("/video/a/b")).toBeNull();
  expect(trustedAdPageOf("/nothing")).toBeNull();
});

it("knows every address with a secret, in any spelling", () => {
  const secret = [...pages.keys()].filter(hasSecretAddress);
  expect(secret.toSorted()).toEqual([
    "/auth/invitation",
    "/auth/reset",
    "/private/:secret",
    "/setup",
  ]);
  for (const path of ["/Auth/Reset/", "/private/AbC-1", "/PRIVATE/x/", "/setup/"]) {
    expect(hasSecretAddress(path)).toBe(true);
  }
  expect(hasSecretAddress("/auth/signin")).toBe(false);
});

it("keeps navigations between content pages and within the back office in one document", () => {
  expect(canShareDocument("/home", "/video/a")).toBe(true);
  expect(canShareDocument("/admin", "/admin/videos")).toBe(true);
  expect(canShareDocument("/library", "/library")).toBe(true);
  expect(canShareDocument("/private/a", "/private/b")).toBe(false);
});

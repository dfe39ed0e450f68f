import { expect, it } from "vitest";
import { adminRoutes } from "#web/features/admin/admin-pages.ts";
import { isPageHandle, page } from "#web/lib/page/page-route.ts";
import { pagesOf, readPageQueries } from "./page-queries.ts";
import { routes } from "./routes.tsx";

const allRoutes = [...routes, ...adminRoutes];

it("reads the query parameters that the handle of each page declares", async () => {
  const queries = await readPageQueries(allRoutes);
  expect(queries).toMatchObject({
    "/": ["search", "category", "sort", "cursor"],
    "/tags/:slug": ["cursor"],
    "/embed/:slug": [],
    "/admin": [],
    "/admin/campaigns/:id": [],
  });
  const pages = pagesOf(allRoutes);
  expect(pages.length).toBeGreaterThan(50);
  for (const { path, loadHandle } of pages) {
    const handle = await loadHandle();
    const declared = isPageHandle(handle) ? handle.query : "nothing";
    expect({ path, declared }).toEqual({ path, declared: queries[path] });
  }
});

it("fails for a page that declares no query parameters", async () => {
  const undeclared = page("/new", "new/new-page.tsx", async () => ({ Component: () => null }));
  await expect(readPageQueries([{ children: [undeclared] }])).rejects.toThrow("/new");
});

it("covers every query parameter that a page reads", async () => {
  const read = new Set<string>();
  const files = import.meta.glob<string>("/src/{web/{app,features,lib},ads/web}/**/*.{ts,tsx}", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  for (const [file, code] of Object.entries(files)) {
    // Only the browser reads the parameters of embeds.
    if (/\/admin\/|\.test\.|\/embed-player\.ts$/.test(file)) continue;
    for (const [, name = ""] of code.matchAll(
      /(?:[pP]arams|searchParams)\.(?:get|has)\("([^"]+)"\)/g,
    )) {
      read.add(name);
    }
  }
  // Only the browser reads `ref` and the token of a one-time link.
  for (const name of ["ref", "token"]) read.delete(name);
  const declared = new Set(Object.values(await readPageQueries(routes)).flat());
  expect([...declared].toSorted()).toEqual([...read].toSorted());
});

import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { createClient, type TestApp } from "#test/app.ts";
import { shared } from "#test/shared.ts";
import { startAdServer, type AdServer } from "./ads-server.ts";
import { openVisitor } from "./browser.ts";
import { usePages } from "./shared-site.ts";

/** Regular user agent. The default one counts as a bot, whose events are counted separately. */
export const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** Site with an ad server. Each test gets a new page and no ads. */
export interface AdsSite {
  app: TestApp;
  server: AdServer;
  /** API client of an administrator. */
  admin: ReturnType<typeof createClient>;
  /** The `cookie` header of that administrator. */
  adminCookie: string;
  context: BrowserContext;
  page: Page;
  createAd(values?: Record<string, unknown>): Promise<{ id: string }>;
  /** Returns the totals of an ad's statistics. */
  totalsOf(ad: { id: string }): Promise<Record<string, number>>;
}

/**
 * Starts the site once for a file. `fill` adds videos. Tests read the fields of the result, which
 * are set before the file's own hooks run.
 * @param defaultAd default values of ads.
 */
export function useAdsSite(
  defaultAd: Record<string, unknown>,
  fill: (app: TestApp) => Promise<unknown> = async () => {},
): AdsSite {
  const app = usePages();
  const site = {
    app,
    server: shared(startAdServer, (server) => server.stop()),
    admin: shared(async () => {
      site.adminCookie = await app.signIn();
      return createClient(app.url, site.adminCookie);
    }),
    async createAd(values = {}) {
      const response = await site.admin.call("POST", "/api/ads", { ...defaultAd, ...values });
      if (response.status !== 201) throw new Error(response.text);
      return response.json;
    },
    async totalsOf({ id }) {
      return (await site.admin.call("GET", `/api/ads/${id}/stats`)).json.totals;
    },
  } as AdsSite;

  beforeAll(() => fill(app));
  beforeEach(async () => {
    const { ads } = (await site.admin.call("GET", "/api/ads")).json;
    for (const { id } of ads) await site.admin.call("DELETE", `/api/ads/${id}`);
    // The browser reports what it refuses to the content of ads.
    const options = { viewport: { width: 1280, height: 900 }, userAgent, expectProblems: /./ };
    ({ page: site.page } = await openVisitor(site.app.url, options));
    site.context = site.page.context();
  });
  afterEach(() => site.context?.close());
  return site;
}

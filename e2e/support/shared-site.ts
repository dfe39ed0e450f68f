import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import { launchChromium } from "../../test/harness/chromium.ts";
import { openPage, type Visit } from "./player-browser.ts";

export interface SharedSite {
  readonly app: TestApp;
  readonly url: string;
  /** A new visitor with a page of its own. */
  open(options?: BrowserContextOptions): Promise<Visit>;
}

/** One site and one browser for all tests of a file. `fill` puts the videos in. */
export function shareSite(fill: (app: TestApp) => Promise<unknown> = async () => {}): SharedSite {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp({ pages: true }), launchChromium()]);
    await fill(app);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), app?.stop()]);
  });
  return {
    get app() {
      return app;
    },
    get url() {
      return app.url;
    },
    open: (options) => openPage(browser, options),
  };
}

import { afterAll, beforeAll } from "vitest";
import { startTestApp, type TestApp, type TestAppOptions } from "#test/app.ts";
import { closeVisitors, openVisitor, type Visitor, type VisitorOptions } from "./browser.ts";

export interface SharedSite {
  readonly app: TestApp;
  readonly url: string;
  open(options?: VisitorOptions): Promise<Visitor>;
}

/** Starts one site for all tests of a file. `fill` adds the videos. */
export function shareSite(
  fill: (app: TestApp) => Promise<unknown> = async () => {},
  options: TestAppOptions = {},
): SharedSite {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ pages: true, ...options });
    await fill(app);
  });
  afterAll(async () => {
    await closeVisitors();
    await app?.stop();
  });
  return {
    get app() {
      return app;
    },
    get url() {
      return app.url;
    },
    open: (options) => openVisitor(app.url, options),
  };
}

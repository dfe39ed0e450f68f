import { beforeAll } from "vitest";
import { startTestApp, type TestApp, type TestAppOptions } from "#test/app.ts";
import { shared } from "#test/shared.ts";
import { closeVisitors, openVisitor, type Visitor, type VisitorOptions } from "./browser.ts";

export interface SharedSite {
  readonly app: TestApp;
  readonly url: string;
  open(options?: VisitorOptions): Promise<Visitor>;
}

/** Starts an app with its pages for all tests of a file. */
export const usePages = (options: TestAppOptions | (() => TestAppOptions) = {}): TestApp =>
  shared(
    () => startTestApp({ pages: true, ...(typeof options === "function" ? options() : options) }),
    async (app) => {
      await closeVisitors();
      await app.stop();
    },
  );

/** Starts one site for all tests of a file. `fill` adds the videos. */
export function shareSite(
  fill: (app: TestApp) => Promise<unknown> = async () => {},
  options: TestAppOptions = {},
): SharedSite {
  const app = usePages(options);
  beforeAll(() => fill(app));
  return {
    app,
    get url() {
      return app.url;
    },
    open: (options) => openVisitor(app.url, options),
  };
}

import { TestRunner, type TestRunnerConfig } from "vitest";

/** Runs browser tests. Without a browser, it skips them and their hooks. */
export default class BrowserRunner extends TestRunner {
  constructor(config: TestRunnerConfig) {
    const hasBrowser = Boolean(process.env["CHROMIUM_PATH"]);
    super(hasBrowser ? config : { ...config, testNamePattern: /(?!)/ });
  }
}

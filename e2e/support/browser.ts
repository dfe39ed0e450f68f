import type { Browser, BrowserContextOptions } from "playwright-core";
import { expect, onTestFinished, TestRunner } from "vitest";
import { launchChromium } from "#test/harness/chromium.ts";
import { patienceMs } from "#test/patience.ts";

export const screens = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  laptop: { width: 1440, height: 900 },
} as const;

export const desktop: BrowserContextOptions = { viewport: screens.laptop };
export const phone: BrowserContextOptions = {
  viewport: screens.phone,
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

/** Console message of a request that a test makes fail. */
export const provoked = /Failed to load resource/;

export interface VisitorOptions extends BrowserContextOptions {
  /** Errors of the page that the test causes on purpose. */
  expectProblems?: RegExp;
  /** Lets videos start with sound before the first click. */
  canAutoplayWithSound?: boolean;
  /**
   * Turns on autoplay of the next video. It is off by default, so that a slow test stays on its
   * page.
   */
  playsNext?: boolean;
}

/**
 * Browsers that the test files of one worker share. One lets videos start with sound, the other
 * doesn't.
 */
const browsers = new Map<boolean, Promise<Browser>>();

function getBrowser(canAutoplayWithSound: boolean): Promise<Browser> {
  const browser = browsers.get(canAutoplayWithSound) ?? launchChromium({ canAutoplayWithSound });
  browsers.set(canAutoplayWithSound, browser);
  return browser;
}

/** Closes the pages that a failed test left open. The browsers end with their worker. */
export async function closeVisitors(): Promise<void> {
  for (const browser of await Promise.all(browsers.values())) {
    await Promise.all(browser.contexts().map((context) => context.close()));
  }
}

/** Prints what every open page shows, as a screen reader would read it. */
export async function printPages(): Promise<void> {
  for (const browser of await Promise.all(browsers.values())) {
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      const shown = await page
        .locator("body")
        .ariaSnapshot({ timeout: 5_000 })
        .catch((error: unknown) => String(error));
      console.error(`${page.url()}\n${shown}`);
    }
  }
}

/**
 * Opens a site as a new visitor, with separate cookies and storage. When the test ends, the visitor
 * must not have seen errors, and is closed.
 */
export async function openVisitor(url: string, options: VisitorOptions = {}) {
  const {
    expectProblems,
    canAutoplayWithSound = false,
    playsNext = false,
    ...contextOptions
  } = options;
  const browser = await getBrowser(canAutoplayWithSound);
  const context = await browser.newContext({
    baseURL: url,
    viewport: screens.laptop,
    colorScheme: "dark",
    // Requests of service workers would bypass the routes of a test.
    serviceWorkers: "block",
    ...contextOptions,
  });
  context.setDefaultTimeout(patienceMs);
  if (!playsNext) {
    await context.addInitScript(() => {
      // Frames with an opaque origin have no storage.
      if (window.origin === "null" || localStorage.getItem("kinora.player") !== null) return;
      localStorage.setItem("kinora.player", JSON.stringify({ isNextWanted: false }));
    });
  }
  const page = await context.newPage();
  const problems: string[] = [];
  const note = (text: string) => {
    if (expectProblems === undefined || !expectProblems.test(text)) problems.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error") note(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => note(error.message));
  const end = async () => {
    await context.close();
    expect(problems).toEqual([]);
  };
  // Visitors of hooks may stay for all tests of a file.
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(end);
  const close = () => context.close();
  return { page, close, end, [Symbol.asyncDispose]: close };
}

export type Visitor = Awaited<ReturnType<typeof openVisitor>>;

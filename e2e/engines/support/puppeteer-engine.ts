import { writeFile } from "node:fs/promises";
import puppeteer, {
  type Browser,
  type ElementHandle,
  type KeyInput,
  type LaunchOptions,
} from "puppeteer-core";
import { pageLoadLimitMs, scriptLimitMs, sessionStartLimitMs } from "./driver-limits.ts";
import {
  sizes,
  type ElementTarget,
  type Engine,
  type EngineName,
  type EnginePage,
  type OpenOptions,
} from "./engine-page.ts";
import {
  choose,
  explainMissing,
  findReachable,
  keepVideo,
  reportViolations,
  retry,
  targetOf,
} from "./in-page.ts";

/** Starts headless Chromium (over its DevTools protocol) or Firefox (over WebDriver BiDi). */
export async function launchPuppeteer(engine: "chromium" | "firefox"): Promise<Engine> {
  const browser = await puppeteer.launch({
    ...(engine === "chromium" ? chromiumOptions() : firefoxOptions()),
    headless: true,
    timeout: sessionStartLimitMs,
    protocolTimeout: scriptLimitMs,
  });
  return {
    open: (url, options) => openPage(browser, engine, url, options),
    async stop() {
      // A hung browser is killed, so that closing it fails.
      const timer = setTimeout(() => browser.process()?.kill("SIGKILL"), 5000);
      await browser.close().catch(() => null);
      clearTimeout(timer);
    },
  };
}

const chromiumOptions = (): LaunchOptions => ({
  browser: "chrome",
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--force-dark-mode"],
});

const firefoxOptions = (): LaunchOptions => ({
  browser: "firefox",
  executablePath: process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr",
  extraPrefsFirefox: {
    // Pages are dark, as in the other engines.
    "layout.css.prefers-color-scheme.content-override": 0,
    "media.autoplay.default": 0,
  },
});

async function openPage(
  browser: Browser,
  engine: EngineName,
  url: string,
  { size = "laptop", session }: OpenOptions,
): Promise<EnginePage> {
  const context = await browser.createBrowserContext();
  if (session !== undefined) {
    const { hostname: domain } = new URL(url);
    await context.setCookie({ name: "session", value: session, domain, path: "/", httpOnly: true });
  }
  const page = await context.newPage();
  page.setDefaultNavigationTimeout(pageLoadLimitMs);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${message.text()} (${page.url()})`);
  });
  page.on("pageerror", (error) => {
    problems.push(`${error instanceof Error ? error.message : String(error)} (${page.url()})`);
  });
  await page.setViewport(sizes[size]);
  await page.evaluateOnNewDocument(reportViolations);
  await page.evaluateOnNewDocument(keepVideo);

  const find = (element: ElementTarget): Promise<ElementHandle> => {
    const [css, name] = targetOf(element);
    return retry(
      async () =>
        (await page.evaluateHandle(findReachable, css, name)).asElement() as ElementHandle,
      async () =>
        `nothing to reach at ${css} ${name ?? ""}: ${await page.evaluate(explainMissing, css)}`,
    );
  };
  const self: EnginePage = {
    engine,
    size,
    problems,
    async goto(path) {
      await page.goto(url + path, { waitUntil: "domcontentloaded" });
    },
    evaluate: (run, ...args) => page.evaluate(run as never, ...args),
    async click(element) {
      await (await find(element)).click();
    },
    async enter(element, text) {
      const field = await find(element);
      await field.evaluate((input) => {
        (input as HTMLInputElement).focus();
        (input as HTMLInputElement).select();
      });
      await page.keyboard.press("Delete");
      await field.type(text);
    },
    async select(element, value) {
      const list = await find(element);
      await list.evaluate(choose, value);
    },
    press: (key) => page.keyboard.press(key as KeyInput),
    async wheel({ x, y }, deltaY) {
      await page.mouse.move(x, y);
      await page.mouse.wheel({ deltaY });
    },
    async setFiles(css, path) {
      const input = (await page.waitForSelector(css)) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(path);
    },
    async screenshot(path) {
      await writeFile(path, await page.screenshot());
    },
    close: () => context.close(),
  };
  return self;
}

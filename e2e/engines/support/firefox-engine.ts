import { writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import puppeteer, { type Browser, type ElementHandle, type KeyInput } from "puppeteer-core";
import { pageLoadLimitMs, scriptLimitMs, sessionStartLimitMs } from "./driver-limits.ts";
import {
  sizes,
  swipeMs,
  type ElementTarget,
  type Engine,
  type EnginePage,
  type OpenOptions,
} from "./engine-page.ts";
import {
  explainMissing,
  findReachable,
  keepVideo,
  reportViolations,
  retry,
  targetOf,
} from "./in-page.ts";

/** Starts headless Firefox over WebDriver BiDi. */
export async function launchFirefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr",
    extraPrefsFirefox: {
      // Pages are dark, as in the other engines.
      "layout.css.prefers-color-scheme.content-override": 0,
      "media.autoplay.default": 0,
      // As on a device with a touch screen.
      "dom.w3c_touch_events.enabled": 1,
    },
    headless: true,
    timeout: sessionStartLimitMs,
    protocolTimeout: scriptLimitMs,
  });
  return {
    open: (url, options) => openPage(browser, url, options),
    async stop() {
      // A hung browser is killed, so that closing it fails.
      const timer = setTimeout(() => browser.process()?.kill("SIGKILL"), 5000);
      await browser.close().catch(() => null);
      clearTimeout(timer);
    },
  };
}

async function openPage(
  browser: Browser,
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
    if (message.type() !== "error") return;
    const at = problems.push(`${message.text()} (${page.url()})`) - 1;
    // The text of a logged error is "JSHandle@error".
    for (const arg of message.args()) {
      arg
        .evaluate((value) => (value instanceof Error ? String(value) : null))
        .then(
          (text) => {
            if (text !== null) problems[at] += `: ${text}`;
          },
          () => null, // The page was left.
        );
    }
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
    engine: "firefox",
    size,
    problems,
    async goto(path) {
      await page.goto(new URL(path, url).href, { waitUntil: "domcontentloaded" });
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
    press: (key) => page.keyboard.press(key as KeyInput),
    async wheel({ x, y }, deltaY) {
      await page.mouse.move(x, y);
      await page.mouse.wheel({ deltaY });
    },
    async swipe(from, to) {
      const steps = 10;
      const finger = await page.touchscreen.touchStart(from.x, from.y);
      for (let step = 1; step <= steps; step += 1) {
        const part = step / steps;
        await wait(swipeMs / steps);
        await finger.move(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
      }
      await finger.end();
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

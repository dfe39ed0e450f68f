import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import {
  Builder,
  By,
  Capabilities,
  Key,
  type WebDriver,
  type WebElement,
} from "selenium-webdriver";
import { Command, Name } from "selenium-webdriver/lib/command.js";
import { findFreePort } from "#test/harness/server-process.ts";
import { pageLoadLimitMs, scriptLimitMs } from "./driver-limits.ts";
import {
  sizes,
  swipeMs,
  type ElementTarget,
  type Engine,
  type EnginePage,
  type SizeName,
} from "./engine-page.ts";
import { explainMissing, findReachable, retry, targetOf } from "./in-page.ts";
import { startReportingProxy, type ReportingProxy } from "./reporting-proxy.ts";

/** Starts WebKitGTK's WebDriver on a separate display. It has one session at a time. */
export async function launchWebKit(): Promise<Engine> {
  const { child: screen, display } = await startDisplay();
  const port = await findFreePort();
  const driver = spawn(
    process.env["WEBKIT_DRIVER_PATH"] ?? "WebKitWebDriver",
    [`--port=${port}`, "--host=127.0.0.1"],
    {
      env: { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: "1" },
      stdio: "ignore",
      detached: true,
    },
  );
  const server = `http://127.0.0.1:${port}`;
  await retry(
    () =>
      fetch(`${server}/status`).then(
        (response) => response.ok,
        () => false,
      ),
    () => Promise.resolve("WebKitWebDriver does not start"),
  );
  const proxies = new Map<string, ReportingProxy>();
  // A session takes seconds to start, so the next page reuses the session of the previous one.
  let free: WebDriver | null = null;
  return {
    async open(url, { size = "laptop", session }) {
      const proxy = proxies.get(url) ?? (await startReportingProxy(url));
      proxies.set(url, proxy);
      const browser = free ?? (await startSession(server));
      free = null;
      const window = browser.manage().window();
      await window.setRect({ ...sizes[size], x: 0, y: 0 });
      if (session !== undefined) {
        await goTo(browser, `${proxy.url}/robots.txt`);
        await browser.manage().addCookie({ name: "session", value: session, httpOnly: true });
      }
      proxy.clear();
      return pageOf(browser, proxy, size, async () => {
        await forgetVisitor(browser, `${proxy.url}/robots.txt`);
        free = browser;
      });
    },
    async stop() {
      // The browser is in the process group of its driver, which may be hung.
      await end(driver, () => process.kill(-(driver.pid ?? 0), "SIGKILL"));
      await end(screen);
      for (const proxy of proxies.values()) await proxy.stop();
    },
  };
}

async function startDisplay(): Promise<{ child: ChildProcess; display: string }> {
  const child = spawn(
    process.env["XVFB_PATH"] ?? "Xvfb",
    ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  const pipe = child.stdio[3];
  if (pipe == null) throw new Error("Xvfb has no pipe");
  const [number] = (await once(pipe, "data")) as [Buffer];
  return { child, display: `:${number.toString().trim()}` };
}

async function end(child: ChildProcess, kill: () => unknown = () => child.kill()): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  kill();
  await once(child, "exit");
}

const miniBrowser = () =>
  process.env["MINI_BROWSER_PATH"] ??
  globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser").toSorted().at(-1);

const startSession = (server: string): Promise<WebDriver> =>
  new Builder()
    .usingServer(server)
    .withCapabilities(
      new Capabilities({
        browserName: "MiniBrowser",
        // The driver may wait forever for a load that has already ended, so `goto` waits itself.
        pageLoadStrategy: "none",
        timeouts: { pageLoad: pageLoadLimitMs, script: scriptLimitMs },
        unhandledPromptBehavior: "accept",
        "webkitgtk:browserOptions": {
          binary: miniBrowser(),
          // Without the bars, the page has exactly the size of the window.
          args: ["--automation", "--full-screen", "--dark-mode", "--autoplay-policy=allow"],
        },
      }),
    )
    .build();

/** Opens a page and waits until its document is complete, apart from pictures and videos. */
async function goTo(browser: WebDriver, url: string): Promise<void> {
  const [page, fragment] = url.split("#");
  if (fragment !== undefined && (await browser.getCurrentUrl()).split("#")[0] === page) {
    // The document isn't replaced.
    return browser.get(url);
  }
  await browser.executeScript(() => {
    Object.assign(window, { isLeft: true });
  });
  await browser.get(url);
  await retry(
    () =>
      browser
        .executeScript<boolean>(() => !("isLeft" in window) && document.readyState !== "loading")
        // The previous page no longer runs scripts.
        .catch((failure: Error) =>
          failure.name === "NoSuchFrameError" ? false : Promise.reject(failure),
        ),
    () => Promise.resolve(`${url} does not open`),
    pageLoadLimitMs,
  );
}

/** Leaves a visitor's page and clears the site's storage. */
async function forgetVisitor(browser: WebDriver, plainPage: string): Promise<void> {
  await goTo(browser, plainPage);
  await browser.manage().deleteAllCookies();
  await browser.executeScript(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
}

interface Wheel {
  scroll(x: number, y: number, deltaX: number, deltaY: number): { perform(): Promise<void> };
}

function pageOf(
  browser: WebDriver,
  proxy: ReportingProxy,
  size: SizeName,
  close: () => Promise<void>,
): EnginePage {
  const find = (element: ElementTarget): Promise<WebElement> => {
    const [css, name] = targetOf(element);
    return retry(
      () => browser.executeScript<WebElement | null>(findReachable, css, name),
      async () =>
        `nothing to reach at ${css} ${name ?? ""}: ${await browser.executeScript<string>(explainMissing, css)}`,
    );
  };
  return {
    engine: "webkit",
    size,
    problems: proxy.problems,
    goto: (path) => goTo(browser, new URL(path, proxy.url).href),
    evaluate: (run, ...args) => browser.executeScript(run, ...args),
    async click(element) {
      await (await find(element)).click();
    },
    async enter(element, text) {
      const field = await find(element);
      await field.clear();
      await field.sendKeys(text);
    },
    async press(key) {
      const { [keyName(key)]: code = key } = Key as unknown as Record<string, string>;
      await browser.actions().sendKeys(code).perform();
    },
    async wheel({ x, y }, deltaY) {
      // The types of selenium-webdriver don't include the wheel.
      const actions = browser.actions() as unknown as Wheel;
      await actions.scroll(x, y, 0, deltaY).perform();
      // The driver ignores a wheel event equal to the previous one.
      await browser.actions().clear();
    },
    async swipe(from, to) {
      const finger = [
        { type: "pointerMove", duration: 0, origin: "viewport", ...from },
        { type: "pointerDown", button: 0 },
        { type: "pointerMove", duration: swipeMs, origin: "viewport", ...to },
        { type: "pointerUp", button: 0 },
      ];
      const parameters = { pointerType: "touch" };
      // Selenium's types only know the mouse.
      await browser.execute(
        new Command(Name.ACTIONS).setParameter("actions", [
          { type: "pointer", id: "finger", parameters, actions: finger },
        ]),
      );
    },
    async setFiles(css, path) {
      await browser.findElement(By.css(css)).sendKeys(path);
    },
    async screenshot(path) {
      await writeFile(path, Buffer.from(await browser.takeScreenshot(), "base64"));
    },
    close,
  };
}

/** Returns Selenium's name of a key, such as `ARROW_DOWN` for `ArrowDown`. */
const keyName = (key: string): string => key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();

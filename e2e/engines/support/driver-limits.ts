import type { EnginePage } from "./engine-page.ts";

/** Limits that each engine also sets for its sessions. */
export const pageLoadLimitMs = 120_000;
export const scriptLimitMs = 60_000;
export const sessionStartLimitMs = 120_000;
/** Limit for a condition that a test waits for, such as an element. */
export const conditionLimitMs = 90_000;
/** Limit for any other command, which may wait for an element first. */
const commandLimitMs = conditionLimitMs + 30_000;
const closeLimitMs = 20_000;

/**
 * Thrown if the program that drives a browser hung or lost a response. This isn't a fault of the
 * site, so the test is repeated once.
 */
class DriverHang extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`the driver hung: ${what}`, options);
    this.name = "DriverHang";
  }
}

/**
 * Failures after which a test is repeated once in a new browser: the driver hung, or WebKitGTK's
 * decoder stopped or a press was lost, which happens on busy machines even after the player has
 * reloaded the video. A pattern, because Vitest 5.1 ignores functions as retry conditions.
 */
export const repeatedFailures =
  /^the driver hung|^webkit: the video does not play|^webkit, \w+: never true/;

/** Names of the drivers' own timeout errors. */
const timeoutNames: ReadonlySet<string> = new Set(["TimeoutError", "ScriptTimeoutError"]);

/** WebKitWebDriver 2.50 reports this when a busy page doesn't respond. */
const lostResult = "Could not parse script result";

function isDriverFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    timeoutNames.has(error.name) ||
    (error.name === "ProtocolError" && error.message.includes("timed out")) ||
    error.message === lostResult
  );
}

/** Runs a command of a driver. Throws `DriverHang` if it takes longer than its limit. */
export async function withLimit<T>(
  command: string,
  limitMs: number,
  run: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DriverHang(`${command}: no response in ${limitMs / 1000} s`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([run(), limit]);
  } catch (error) {
    if (!isDriverFailure(error)) throw error;
    throw new DriverHang(`${command}: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Limits the time of all commands of a page and reports those that hang. */
export function limitPage(page: EnginePage, onHang: () => void): EnginePage {
  const limited = async <T>(
    command: string,
    limitMs: number,
    run: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await withLimit(`${page.engine}, ${page.size}: ${command}`, limitMs, run);
    } catch (error) {
      if (error instanceof DriverHang) onHang();
      throw error;
    }
  };
  // The driver's own timeout comes first and has a better message.
  const loadMs = pageLoadLimitMs + 5000;
  const scriptMs = scriptLimitMs + 5000;
  return {
    engine: page.engine,
    size: page.size,
    problems: page.problems,
    goto: (path) => limited(`open ${path}`, loadMs, () => page.goto(path)),
    evaluate: (run, ...args) =>
      limited(`run ${String(run).slice(0, 200)}`, scriptMs, () => page.evaluate(run, ...args)),
    click: (element) =>
      limited(`click ${JSON.stringify(element)}`, commandLimitMs, () => page.click(element)),
    enter: (element, text) =>
      limited(`enter into ${JSON.stringify(element)}`, commandLimitMs, () =>
        page.enter(element, text),
      ),
    press: (key) => limited(`press ${key}`, commandLimitMs, () => page.press(key)),
    wheel: (at, deltaY) =>
      limited(`turn the wheel by ${deltaY}`, commandLimitMs, () => page.wheel(at, deltaY)),
    swipe: (from, to) => limited("swipe", commandLimitMs, () => page.swipe(from, to)),
    setFiles: (css, path) =>
      limited(`set files of ${css}`, commandLimitMs, () => page.setFiles(css, path)),
    screenshot: (path) => limited("screenshot", commandLimitMs, () => page.screenshot(path)),
    close: () => limited("close", closeLimitMs, () => page.close()),
  };
}

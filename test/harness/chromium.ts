import { chromium, type Browser } from "playwright-core";

/**
 * Starts the machine's Chromium headless and without its own network requests.
 * @param options.canAutoplayWithSound lets videos start with sound before a user gesture.
 */
export function launchChromium(options: { canAutoplayWithSound?: boolean } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(options.canAutoplayWithSound === true
        ? ["--autoplay-policy=no-user-gesture-required"]
        : []),
    ],
  });
}

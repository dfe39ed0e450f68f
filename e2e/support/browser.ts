import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

export interface Visitor {
  page: Page;
  /** Errors of the console and of scripts so far; a journey ends by expecting none. */
  problems: string[];
  close(): Promise<void>;
}

export const screens = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  laptop: { width: 1440, height: 900 },
} as const;

/** A fresh visitor with cookies and storage of their own. */
export async function newVisitor(
  browser: Browser,
  url: string,
  options: BrowserContextOptions & { expectProblems?: RegExp } = {},
): Promise<Visitor> {
  const { expectProblems, ...contextOptions } = options;
  const context = await browser.newContext({
    baseURL: url,
    viewport: screens.laptop,
    colorScheme: "dark",
    ...contextOptions,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const note = (text: string) => {
    if (expectProblems === undefined || !expectProblems.test(text)) problems.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error") note(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => note(error.message));
  return { page, problems, close: () => context.close() };
}

/** Fills the sign-in form as a visitor does and waits for the back office. */
export async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/auth/signin");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/admin");
}

/** What a video element shows at this moment. */
export async function readVideo(page: Page): Promise<{
  currentTime: number;
  duration: number;
  width: number;
  height: number;
  audioBytes: number;
}> {
  return page
    .locator("video")
    .first()
    .evaluate((element) => {
      const video = element as unknown as Record<string, number>;
      return {
        currentTime: video["currentTime"] ?? 0,
        duration: video["duration"] ?? 0,
        width: video["videoWidth"] ?? 0,
        height: video["videoHeight"] ?? 0,
        audioBytes: video["webkitAudioDecodedByteCount"] ?? 0,
      };
    });
}

/** Waits until `count` more frames are really presented: the only proof that a picture moves. */
export async function waitForFrames(page: Page, count: number): Promise<void> {
  await page
    .locator("video")
    .first()
    .evaluate(
      (element, wanted) =>
        new Promise<void>((resolve, reject) => {
          const video = element as unknown as {
            requestVideoFrameCallback(run: () => void): void;
          };
          let seen = 0;
          const timer = setTimeout(() => reject(new Error(`only ${seen} frames in 15 s`)), 15_000);
          const next = () => {
            seen += 1;
            if (seen < wanted) return video.requestVideoFrameCallback(next);
            clearTimeout(timer);
            resolve();
          };
          video.requestVideoFrameCallback(next);
        }),
      count,
    );
}

export function expectNoProblems(visitor: Visitor): void {
  expect(visitor.problems).toEqual([]);
}

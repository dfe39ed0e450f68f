export type EngineName = "firefox" | "webkit";

/** Point of the window, in CSS pixels. */
interface Point {
  x: number;
  y: number;
}

export const sizes = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  laptop: { width: 1440, height: 900 },
} as const;
export type SizeName = keyof typeof sizes;

/** Duration of a swipe. */
export const swipeMs = 200;

export interface OpenOptions {
  size?: SizeName;
  /** Session token of a user of the back office. */
  session?: string;
}

/** Page of a new visitor. Every engine has the same calls, so a test is only written once. */
export interface EnginePage {
  readonly engine: EngineName;
  readonly size: SizeName;
  /** Errors, unhandled rejections and CSP violations so far. */
  readonly problems: readonly string[];
  goto(path: string): Promise<void>;
  /** Runs a self-contained function in the page. Arguments and result are JSON. */
  evaluate<Args extends unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  /** Clicks the center of an element with the pointer. */
  click(element: ElementTarget): Promise<void>;
  /** Types a text into a field and replaces the old one. */
  enter(element: ElementTarget, text: string): Promise<void>;
  /** Presses a key, for example `ArrowDown`, `Escape`, `m`. */
  press(key: string): Promise<void>;
  /** Turns the wheel over a point. The distance is in pixels. */
  wheel(at: Point, deltaY: number): Promise<void>;
  /** Swipes with one finger. */
  swipe(from: Point, to: Point): Promise<void>;
  setFiles(css: string, path: string): Promise<void>;
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}

/** CSS selector, or a selector with the accessible name of the element. */
export type ElementTarget = string | { css: string; name: string };

export interface Engine {
  open(url: string, options: OpenOptions): Promise<EnginePage>;
  stop(): Promise<void>;
}

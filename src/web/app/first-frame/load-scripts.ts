import { maxWaitMs, waitingAttribute } from "./handoff.ts";

/*
 * Last script of a page that opens with a playing video. It loads the app after the first frame,
 * because the app's scripts would compete with the video for connections, bandwidth and the
 * processor. They are loaded immediately if nothing plays, if the video fails or takes longer than
 * `maxWaitMs`, or once the visitor acts.
 */

export interface PageScripts {
  /** Texts of a language other than English. Runs before the entry. */
  texts?: string;
  entry: string;
  /** Modules that the entry and the page import. They are fetched immediately. */
  preloads: string[];
}

const startEvents = ["pointerdown", "keydown", "wheel", "touchstart", "error"];

const { texts, entry, preloads } = JSON.parse(
  document.currentScript?.dataset["scripts"] ?? "",
) as PageScripts;
const video = document.querySelector<HTMLVideoElement>("video[autoplay]");
let isStarted = false;

function append<Tag extends "link" | "script">(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): void {
  document.head.append(Object.assign(document.createElement(tag), properties));
}

function start(): void {
  if (isStarted) return;
  isStarted = true;
  for (const name of startEvents) removeEventListener(name, start, true);
  for (const href of preloads) append("link", { rel: "modulepreload", href });
  // In this order, because inserted scripts are asynchronous by default.
  if (texts !== undefined) append("script", { type: "module", src: texts, async: false });
  append("script", { type: "module", src: entry, async: false });
  requestAnimationFrame(() => document.documentElement.removeAttribute(waitingAttribute));
}

if (
  video === null ||
  video.error !== null ||
  !("requestVideoFrameCallback" in video) ||
  matchMedia("(prefers-reduced-motion: reduce)").matches
) {
  start();
} else {
  for (const name of startEvents) addEventListener(name, start, { capture: true, passive: true });
  video.requestVideoFrameCallback(start);
  setTimeout(start, maxWaitMs);
}

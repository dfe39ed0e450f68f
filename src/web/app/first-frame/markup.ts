import type { OwnTexts } from "#contract/site/text-places.ts";
import type { FirstVideo } from "#web/lib/page/first-video.ts";
import { escapeHtml } from "#contract/escape-html.ts";
import createVideoScript from "./create-video.ts?inline-script";
import type { PageScripts } from "./load-scripts.ts";
import loadScriptsScript from "./load-scripts.ts?inline-script";
import ownTextsScript from "./own-texts.ts?inline-script";
import placeVideoScript from "./place-video.ts?inline-script";
import recordClickScript from "./record-click.ts?inline-script";
import themeBootScript from "./theme-boot.ts?inline-script";

/** The Content Security Policy contains the hashes of these scripts. */
export const inlineScripts: readonly string[] = [
  createVideoScript,
  placeVideoScript,
  loadScriptsScript,
  themeBootScript,
  recordClickScript,
  ownTextsScript,
];

const dataAttribute = (name: string, value: unknown) =>
  ` data-${name}="${escapeHtml(JSON.stringify(value))}"`;

/** Comes before the app's scripts. */
export const bootHtml = `<script>${themeBootScript}</script><script>${recordClickScript}</script>`;

/** Placed at the position of the first video's element. */
export const placeVideoHtml = `<script>${placeVideoScript}</script>`;

/** Comes first in the head. */
export function createVideoHtml(video: FirstVideo): string {
  return `<script${dataAttribute("video", video)}>${createVideoScript}</script>`;
}

/** Can be anywhere in the page, because modules run later. */
export function ownTextsHtml(texts: OwnTexts): string {
  return `<script${dataAttribute("texts", texts)}>${ownTextsScript}</script>`;
}

const loadScriptsId = "load-scripts";

/** Prevents painting until the end of the body has been parsed. */
export const expectScriptsHtml = `<link rel="expect" href="#${loadScriptsId}" blocking="render">`;

/** Comes last in the body, instead of the scripts themselves. */
export function loadScriptsHtml(scripts: PageScripts): string {
  return `<script id="${loadScriptsId}"${dataAttribute("scripts", scripts)}>${loadScriptsScript}</script>`;
}

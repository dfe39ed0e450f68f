import { accentTokens } from "#contract/site/accent.ts";
import { pageGrounds, textGrounds, themeTokens, type SiteTheme } from "#contract/site/theme.ts";
import { languageCodes, type Language } from "#contract/site/languages.ts";
import { directionOf } from "#contract/site/translated-pages.ts";
import type { OwnTexts } from "#contract/site/text-places.ts";
import type { PageAssets } from "#contract/site/page-render.ts";
import type { FirstVideo } from "#web/lib/page/first-video.ts";
import { headToHtml, type Head } from "#web/lib/page/head.ts";
import { escapeHtml } from "#contract/escape-html.ts";
import { rootRouteId, type Site } from "#web/lib/page/site.ts";
import {
  bootHtml,
  createVideoHtml,
  expectScriptsHtml,
  loadScriptsHtml,
  ownTextsHtml,
} from "./first-frame/markup.ts";
import type { PageScripts } from "./first-frame/load-scripts.ts";
import { hydrationElementId } from "./hydration.ts";

interface DocumentParts {
  language: Language;
  /** True if the URL has no language, so that the visitor may prefer another one. */
  followsVisitorLanguage: boolean;
  head: Head;
  body: string;
  /** Null if no video starts with the page. */
  firstVideo: FirstVideo | null;
  /** Hydration data, already safe inside a script element. */
  data: string;
  site: Record<string, unknown>;
  theme: SiteTheme;
  /** Null if the operator has replaced no texts. */
  ownTexts: OwnTexts | null;
  assets: PageAssets;
  modules: readonly string[];
}

/** Returns the label by which parental filters recognise a site for adults. */
function ratingHtml(loaderData: Record<string, unknown>): string {
  const site = loaderData[rootRouteId] as Site | undefined;
  return site?.settings.ageGate === true
    ? '<meta name="rating" content="RTA-5042-1996-1400-1577-RTA">'
    : "";
}

function faviconHtml(loaderData: Record<string, unknown>): string {
  const site = loaderData[rootRouteId] as Site | undefined;
  const favicon = site?.settings.faviconUrl ?? null;
  return favicon === null
    ? '<link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="apple-touch-icon" href="/apple-touch-icon.png">'
    : `<link rel="icon" href="${escapeHtml(favicon)}"><link rel="apple-touch-icon" href="${escapeHtml(favicon)}">`;
}

/** Returns the operator's accent, ground, corners and font, which override the style sheet's tokens. */
function themeHtml(theme: SiteTheme): string {
  const { accentColor, groundColor } = theme;
  const tokens = Object.entries({
    ...(accentColor === null ? {} : accentTokens(accentColor, textGrounds(groundColor))),
    ...themeTokens(theme),
  }).map(([name, value]) => `${name}:${value}`);
  return tokens.length === 0 ? "" : `<style>:root{${tokens.join(";")}}</style>`;
}

/**
 * Returns the script tags. Styles, images and the font are requested first, because the page is
 * readable without scripts.
 */
function scriptsHtml({ texts, entry, preloads }: PageScripts): string {
  return [
    ...[texts, entry].map((src) =>
      src === undefined
        ? ""
        : `<script type="module" fetchpriority="low" src="${escapeHtml(src)}"></script>`,
    ),
    ...preloads.map(
      (href) => `<link rel="modulepreload" fetchpriority="low" href="${escapeHtml(href)}">`,
    ),
  ].join("");
}

interface ScriptsHtml {
  early: string;
  /** Used instead of `early` on pages that open with a video. */
  late: string;
}

const scriptsOfPages = new WeakMap<PageAssets, Map<string, ScriptsHtml>>();

/** Returns the elements that load a page's scripts, created once for each page of the site. */
function pageScriptsHtml({ assets, modules, language }: DocumentParts): ScriptsHtml {
  const known = scriptsOfPages.get(assets) ?? new Map<string, ScriptsHtml>();
  scriptsOfPages.set(assets, known);
  const key = [language, ...modules].join();
  const html = known.get(key) ?? createScriptsHtml(assets, modules, language);
  known.set(key, html);
  return html;
}

function createScriptsHtml(
  assets: PageAssets,
  modules: readonly string[],
  language: Language,
): ScriptsHtml {
  const { entry } = assets;
  const preloads = assets.scriptsOf(modules).filter((script) => script !== entry);
  const texts = assets.textsOf(language);
  const scripts = { ...(texts === null ? {} : { texts }), entry, preloads };
  return { early: scriptsHtml(scripts), late: loadScriptsHtml(scripts) };
}

/**
 * Hides most buttons and ad slots without scripts, because they would do nothing. Expands the
 * category choices.
 */
const noScriptsHtml =
  "<noscript><style>button[type=button],.spot,.skeleton,.transcript-tools{display:none!important}#category-choices,#filter-form{display:block!important}</style></noscript>";

/**
 * Returns the document around a rendered page. The order matters: the parts needed for the first
 * paint come first.
 */
export function documentHtml(parts: DocumentParts): string {
  const { assets, firstVideo, theme } = parts;
  const scripts = pageScriptsHtml(parts);
  const direction = directionOf(parts.language);
  const grounds = pageGrounds(theme.groundColor);
  return [
    `<!doctype html><html lang="${parts.language}"${direction === "ltr" ? "" : ` dir="${direction}"`}${parts.followsVisitorLanguage ? ` data-languages="${languageCodes.join(" ")}"` : ""}>`,
    '<head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">',
    firstVideo === null ? "" : createVideoHtml(firstVideo),
    // Before the boot script, which changes them if the visitor has chosen a theme.
    `<meta name="theme-color" data-theme="dark" media="(prefers-color-scheme: dark)" content="${grounds.dark}">`,
    `<meta name="theme-color" data-theme="light" media="(prefers-color-scheme: light)" content="${grounds.light}">`,
    headToHtml(parts.head),
    // Reading storage takes 10 ms in a new process, so this comes after the request for the video,
    // but before the first paint.
    firstVideo === null ? bootHtml : expectScriptsHtml,
    `<link rel="stylesheet" href="${escapeHtml(assets.css)}">`,
    themeHtml(theme),
    noScriptsHtml,
    // The first video is requested before the font, whose fallback has the same metrics.
    assets.font === null || firstVideo !== null || theme.font !== "inter"
      ? ""
      : `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(assets.font)}" crossorigin>`,
    '<meta name="color-scheme" content="dark light">',
    ratingHtml(parts.site),
    faviconHtml(parts.site),
    '<link rel="manifest" href="/manifest.webmanifest">',
    firstVideo === null ? scripts.early : "",
    "</head><body>",
    `<div id="root">${parts.body}</div>`,
    `<script type="application/json" id="${hydrationElementId}">${parts.data}</script>`,
    parts.ownTexts === null ? "" : ownTextsHtml(parts.ownTexts),
    firstVideo === null ? "" : bootHtml + scripts.late,
    "</body></html>",
  ].join("");
}

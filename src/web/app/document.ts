import type { PageAssets } from "../../contract/page-render.ts";
import { headToHtml, type Head } from "../lib/head.ts";
import { escapeHtml } from "../lib/html-text.ts";
import { rootRouteId, type Site } from "../lib/site.ts";
import { hydrationElementId } from "./hydration.ts";
import { scriptsElementId } from "./first-frame/early-press.ts";
import { filmPageOf } from "./first-frame/film-first.ts";
import { scriptsBehindFilm } from "./first-frame/scripts-behind-film.ts";
import { themeBootScript } from "./first-frame/theme-boot.ts";

interface DocumentParts {
  head: Head;
  body: string;
  /** Hydration data, already safe inside a script element. */
  data: string;
  site: Record<string, unknown>;
  assets: PageAssets;
  modules: readonly string[];
}

function faviconOf(loaderData: Record<string, unknown>): string | null {
  const site = loaderData[rootRouteId] as Site | undefined;
  return site?.settings.faviconUrl ?? null;
}

/** The document around a drawn page. Order matters: what the first paint needs comes first. */
export function documentHtml(parts: DocumentParts): string {
  const { assets } = parts;
  const page = assets.ofModules(parts.modules);
  const css = [...new Set([...assets.css, ...page.css])];
  const scripts = [...new Set(page.scripts)].filter((script) => script !== assets.entry);
  const favicon = faviconOf(parts.site);
  const film = filmPageOf(parts.body);
  const isFilm = film !== null;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">',
    film === null ? "" : film.head,
    headToHtml(parts.head),
    isFilm
      ? `<link rel="expect" href="#${scriptsElementId}" blocking="render">`
      : `<script>${themeBootScript}</script>`,
    ...css.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`),
    // Type can follow a film; it needs no place in the line before it.
    assets.font === null || isFilm
      ? ""
      : `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(assets.font)}" crossorigin>`,
    '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0d0e12">',
    '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbf9f5">',
    '<meta name="color-scheme" content="dark light">',
    favicon === null
      ? '<link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="apple-touch-icon" href="/apple-touch-icon.png">'
      : `<link rel="icon" href="${escapeHtml(favicon)}">`,
    '<link rel="manifest" href="/manifest.webmanifest">',
    // The page is there without them: pictures and type go first.
    ...(isFilm
      ? []
      : [
          `<script type="module" fetchpriority="low" src="${escapeHtml(assets.entry)}"></script>`,
          ...scripts.map(
            (href) => `<link rel="modulepreload" fetchpriority="low" href="${escapeHtml(href)}">`,
          ),
        ]),
    "</head><body>",
    `<div id="root">${film === null ? parts.body : film.body}</div>`,
    `<script type="application/json" id="${hydrationElementId}">${parts.data}</script>`,
    // Storage answers a new process late: the film is asked for before it, and painted after it.
    isFilm ? `<script>${themeBootScript}</script>${scriptsBehindFilm(assets.entry, scripts)}` : "",
    "</body></html>",
  ].join("");
}

import type { Language } from "./languages.ts";
import type { OwnTexts } from "./text-places.ts";
import type { PageApi, ServerPageApi } from "./page-api.ts";

/** Addresses of the files that a page loads, from the build or the development server. */
export interface PageAssets {
  /** Module script that starts the app. */
  entry: string;
  /**
   * Returns the module script with a language's texts. Returns null for English, because the other
   * scripts contain its texts.
   */
  textsOf(language: Language): string | null;
  /** Style sheet of all pages. */
  css: string;
  /** Font file worth preloading. */
  font: string | null;
  /** Returns the scripts of one page. Modules are given by their paths from the repository root. */
  scriptsOf(modules: readonly string[]): string[];
}

export interface PageRenderOptions {
  api: PageApi;
  serverApi: ServerPageApi;
  /** Canonical origin without a trailing slash. */
  siteUrl: string;
  /**
   * Language of the page, and the site's default language. `own` contains the operator's texts in
   * the page's language.
   */
  language: { code: Language; siteLanguage: Language; own: OwnTexts | null };
  assets: PageAssets;
}

export interface PageResult {
  status: number;
  /** Whole document; empty for a redirect. */
  html: string;
  /** Target of a redirect. */
  location?: string;
}

/** Exports of the web part's server build. */
export interface PageModule {
  render(request: Request, options: PageRenderOptions): Promise<PageResult>;
  /** Text of every inline script. The Content Security Policy contains their hashes. */
  inlineScripts: readonly string[];
  /** Names of the query parameters that each page reads, by its path (`/tags/:slug`). */
  pageQueries: Readonly<Record<string, readonly string[]>>;
}

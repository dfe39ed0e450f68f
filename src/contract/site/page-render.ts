import type { Language } from "./languages.ts";
import type { OwnTexts } from "./text-places.ts";
import type { PageApi, ServerPageApi } from "./page-api.ts";

/** The addresses of the files that a page loads, from the build or the development server. */
export interface PageAssets {
  /** Module script that starts the app. */
  entry: string;
  /** Module script with the texts of a language; null for English, whose texts are in the others. */
  textsOf(language: Language): string | null;
  /** The style sheet of all pages. */
  css: string;
  /** The font file worth preloading. */
  font: string | null;
  /** Scripts of one page, by its modules' paths from the repository root. */
  scriptsOf(modules: readonly string[]): string[];
}

export interface PageRenderOptions {
  api: PageApi;
  serverApi: ServerPageApi;
  /** Canonical origin, without a slash at the end. */
  siteUrl: string;
  /**
   * Language of the page, and the default language of the site. `own`: the operator's texts for the
   * language of the page.
   */
  language: { code: Language; siteLanguage: Language; own: OwnTexts | null };
  assets: PageAssets;
}

export interface PageResult {
  status: number;
  /** The whole document; empty for a redirect. */
  html: string;
  /** The target of a redirect. */
  location?: string;
}

/** Exports of the web part's server build. */
export interface PageModule {
  render(request: Request, options: PageRenderOptions): Promise<PageResult>;
  /** The text of every inline script, for hashes in the Content Security Policy. */
  inlineScripts: readonly string[];
  /** Texts that an operator can replace, by id. */
  standardTexts(language: Language): Readonly<Record<string, string>>;
}

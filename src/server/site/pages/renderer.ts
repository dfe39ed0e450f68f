import { createBuiltPages } from "./built-pages.ts";
import { createLivePages } from "./live-pages.ts";
import type { PageRenderer } from "./page-renderer.ts";

export type { PageRenderer, RenderedPage } from "./page-renderer.ts";

export interface PageRendererOptions {
  mode: "production" | "development";
  /** Repository root: the build is in `dist/` below it. */
  root: string;
}

/** Draws pages from the build, or through Vite while developing. Throws where the build is missing. */
export function createPageRenderer(options: PageRendererOptions): Promise<PageRenderer> {
  return options.mode === "production"
    ? createBuiltPages(options.root)
    : createLivePages(options.root);
}

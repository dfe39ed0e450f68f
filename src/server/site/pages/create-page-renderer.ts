import type { Server } from "node:http";
import { createBuiltPages } from "./built-pages.ts";
import { createLivePages } from "./live-pages.ts";
import type { PageRenderer } from "./page-renderer.ts";

/**
 * Renders pages from the build, or through Vite in development.
 * @param options.root the repository's root, with the build in `dist/`.
 * @throws where the build is missing.
 */
export function createPageRenderer(options: {
  mode: "production" | "development";
  root: string;
  httpServer: Server;
}): Promise<PageRenderer> {
  return options.mode === "production"
    ? createBuiltPages(options.root)
    : createLivePages(options.root, options.httpServer);
}

import type { Server } from "node:http";
import { createBuiltPages } from "./built-pages.ts";
import { createLivePages } from "./live-pages.ts";
import type { PageRenderer } from "./page-renderer.ts";

/**
 * Creates a renderer from the build, or with Vite in development.
 * @param options.root root of the repository, with the build in `dist/`.
 * @throws if the build is missing.
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

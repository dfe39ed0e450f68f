import type { Server } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PageAssets, PageModule } from "#contract/site/page-render.ts";
import { scriptSource, type PageRenderer } from "./page-renderer.ts";
import { assetsOf, readClientManifest } from "./client-manifest.ts";

function isPageModule(module: unknown): module is PageModule {
  return (
    typeof module === "object" &&
    module !== null &&
    "render" in module &&
    typeof module.render === "function" &&
    "inlineScripts" in module &&
    Array.isArray(module.inlineScripts)
  );
}

/** Throws unless the module at `path` renders pages. */
function asPageModule(module: unknown, path: string): PageModule {
  if (!isPageModule(module)) throw new Error(`${path} does not render pages`);
  return module;
}

const entryServer = "/src/web/app/entry-server.tsx";

/** Source files, which Vite compiles on request. */
const liveAssets: PageAssets = {
  entry: "/src/web/app/entry-client.tsx",
  css: "/src/web/app/styles/app.css",
  font: null,
  textsOf: (language) => (language === "en" ? null : `/@id/virtual:texts-${language}`),
  scriptsOf: () => [],
};

/**
 * Renders pages with Vite and hot reload. This is the only import of Vite, which production doesn't
 * need.
 * @param httpServer the site's own server. Hot reload uses its port, which the pages' policy
 * allows.
 */
async function createLivePages(root: string, httpServer: Server): Promise<PageRenderer> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root,
    configFile: join(root, "vite.config.ts"),
    server: { middlewareMode: true, ws: { server: httpServer } },
    appType: "custom",
  });
  const load = async () => asPageModule(await vite.ssrLoadModule(entryServer), entryServer);
  return {
    isLive: true,
    scriptSources: ["'unsafe-inline'"],
    middleware: vite.middlewares,
    async render({ url, ...input }) {
      const module = await load();
      const page = await module.render(new Request(url), { ...input, assets: liveAssets });
      const { pathname, search } = new URL(url);
      const html =
        page.html === "" ? "" : await vite.transformIndexHtml(pathname + search, page.html);
      return { status: page.status, html: Buffer.from(html), location: page.location };
    },
    close: () => vite.close(),
  };
}

/** Creates a renderer from `dist/`. Nothing is compiled while the site is running. */
export async function createBuiltPages(root: string): Promise<PageRenderer> {
  const path = join(root, "dist/server/entry-server.js");
  const loaded: unknown = await import(pathToFileURL(path).href);
  const module = asPageModule(loaded, path);
  const assets = assetsOf(await readClientManifest(root));
  return {
    isLive: false,
    scriptSources: module.inlineScripts.map(scriptSource),
    async render({ url, ...input }) {
      const page = await module.render(new Request(url), { ...input, assets });
      return { status: page.status, html: Buffer.from(page.html), location: page.location };
    },
    close: () => Promise.resolve(),
  };
}

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

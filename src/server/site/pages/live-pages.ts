import type { Server } from "node:http";
import { join } from "node:path";
import type { PageAssets } from "#contract/site/page-render.ts";
import { asPageModule } from "./page-module.ts";
import type { PageRenderer } from "./page-renderer.ts";

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
export async function createLivePages(root: string, httpServer: Server): Promise<PageRenderer> {
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

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { assetsOf, readClientManifest } from "./client-manifest.ts";
import { asPageModule } from "./page-module.ts";
import { scriptSource, type PageRenderer } from "./page-renderer.ts";

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

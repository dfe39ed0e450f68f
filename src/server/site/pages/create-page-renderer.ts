import type { Server } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { PageAssets, PageModule } from "#contract/site/page-render.ts";
import type { Language } from "#contract/site/languages.ts";
import { scriptSource, type PageRenderer } from "./page-renderer.ts";

const manifestShape = z.record(
  z.string(),
  z.object({
    file: z.string(),
    name: z.string().optional(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    assets: z.array(z.string()).optional(),
  }),
);
type ClientManifest = z.infer<typeof manifestShape>;

/** Names in the build of the script that starts the app, and of a language's texts. */
const entryName = "entry-client";
const textsName = (language: Language) => `texts-${language}`;

/** Key under which the build writes its single style sheet. */
const styleKey = "style.css";

const fontPattern = /inter-latin-wght-normal[^/]*\.woff2$/;

/** Returns a chunk and everything it imports, in loading order. */
function closure(manifest: ClientManifest, key: string, seen: Set<string>): string[] {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(key)) return [];
  seen.add(key);
  return [key, ...(chunk.imports ?? []).flatMap((inner) => closure(manifest, inner, seen))];
}

/**
 * Returns the files that each page loads, according to Vite's manifest. Throws if there is no entry
 * or style sheet.
 */
function assetsOf(manifest: ClientManifest): PageAssets {
  const entryKey = Object.keys(manifest).find((key) => manifest[key]?.name === entryName);
  const entry = entryKey === undefined ? undefined : manifest[entryKey];
  if (entryKey === undefined || entry === undefined) throw new Error("The build has no entry");
  const style = manifest[styleKey];
  if (style === undefined) throw new Error("The build has no style sheet");
  const address = (file: string) => `/${file}`;
  const entryChunks = closure(manifest, entryKey, new Set());
  const entryScripts = entryChunks.flatMap((key) => manifest[key]?.file ?? []);
  const fonts = Object.values(manifest).flatMap((chunk) => [chunk.file, ...(chunk.assets ?? [])]);
  const font = fonts.find((file) => fontPattern.test(file));

  return {
    entry: address(entry.file),
    css: address(style.file),
    font: font === undefined ? null : address(font),
    textsOf(language) {
      const chunk = Object.values(manifest).find(({ name }) => name === textsName(language));
      return chunk === undefined ? null : address(chunk.file);
    },
    scriptsOf: (modules) => {
      const seen = new Set<string>();
      const chunks = modules.flatMap((key) => closure(manifest, key, seen));
      const scripts = [...entryScripts, ...chunks.flatMap((key) => manifest[key]?.file ?? [])];
      return [...new Set(scripts)].filter((file) => file.endsWith(".js")).map(address);
    },
  };
}

async function readClientManifest(root: string): Promise<ClientManifest> {
  const path = join(root, "dist/client/.vite/manifest.json");
  return manifestShape.parse(JSON.parse(await readFile(path, "utf8")));
}

function isPageModule(module: unknown): module is PageModule {
  return (
    typeof module === "object" &&
    module !== null &&
    "render" in module &&
    typeof module.render === "function" &&
    "inlineScripts" in module &&
    Array.isArray(module.inlineScripts) &&
    "pageQueries" in module
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
    pageQueries: (await load()).pageQueries,
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
    pageQueries: module.pageQueries,
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

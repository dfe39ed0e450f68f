import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Language } from "#contract/site/languages.ts";
import type { PageAssets } from "#contract/site/page-render.ts";

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
export type ClientManifest = z.infer<typeof manifestShape>;

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
export function assetsOf(manifest: ClientManifest): PageAssets {
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

export async function readClientManifest(root: string): Promise<ClientManifest> {
  const path = join(root, "dist/client/.vite/manifest.json");
  return manifestShape.parse(JSON.parse(await readFile(path, "utf8")));
}

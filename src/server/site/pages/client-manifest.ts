import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { PageAssets } from "../../../contract/page-render.ts";

const manifestShape = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
    assets: z.array(z.string()).optional(),
  }),
);
export type ClientManifest = z.infer<typeof manifestShape>;

const fontPattern = /inter-latin-wght-normal[^/]*\.woff2$/;

/** Files that one chunk needs, itself included, in the order in which they are best fetched. */
function closure(manifest: ClientManifest, key: string, seen: Set<string>): string[] {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(key)) return [];
  seen.add(key);
  return [key, ...(chunk.imports ?? []).flatMap((inner) => closure(manifest, inner, seen))];
}

/**
 * Turns Vite's manifest into answers to "what does this page load?"; `sheets` holds the texts of its
 * style sheets by file. Throws without an entry.
 */
export function assetsOf(
  manifest: ClientManifest,
  sheets: ReadonlyMap<string, string>,
): PageAssets {
  const entryKey = Object.keys(manifest).find((key) => manifest[key]?.isEntry === true);
  const entry = entryKey === undefined ? undefined : manifest[entryKey];
  if (entryKey === undefined || entry === undefined) throw new Error("The build has no entry");
  const address = (file: string) => `/${file}`;
  const entryChunks = closure(manifest, entryKey, new Set());
  const entryScripts = entryChunks.flatMap((key) => manifest[key]?.file ?? []);
  const fonts = Object.values(manifest).flatMap((chunk) => [chunk.file, ...(chunk.assets ?? [])]);
  const font = fonts.find((file) => fontPattern.test(file));

  return {
    entry: address(entry.file),
    css: [...new Set(entryChunks.flatMap((key) => manifest[key]?.css ?? []))].map(address),
    font: font === undefined ? null : address(font),
    ofModules: (modules) => {
      const seen = new Set<string>();
      const chunks = modules.flatMap((key) => closure(manifest, key, seen));
      const scripts = [...entryScripts, ...chunks.flatMap((key) => manifest[key]?.file ?? [])];
      return {
        scripts: [...new Set(scripts)].filter((file) => file.endsWith(".js")).map(address),
        css: [...new Set(chunks.flatMap((key) => manifest[key]?.css ?? []))].map(address),
      };
    },
    textOfCss: (href) => sheets.get(href.slice(1)) ?? null,
  };
}

/** The texts of all style sheets that the manifest names, by file. */
export async function readSheets(
  root: string,
  manifest: ClientManifest,
): Promise<Map<string, string>> {
  const files = new Set(Object.values(manifest).flatMap(({ css }) => css ?? []));
  const read = async (file: string) =>
    [file, await readFile(join(root, "dist/client", file), "utf8")] as const;
  return new Map(await Promise.all([...files].map(read)));
}

export async function readClientManifest(root: string): Promise<ClientManifest> {
  const path = join(root, "dist/client/.vite/manifest.json");
  return manifestShape.parse(JSON.parse(await readFile(path, "utf8")));
}

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { z } from "zod";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const entry = "src/web/app/entry-client.tsx";

/** Script bytes, brotli, that a first load of these modules may transfer (1 KB = 1024 bytes). */
const budgets: readonly { modules: readonly [string, ...string[]]; maxBytes: number }[] = [
  { modules: ["src/web/features/home/home-page.tsx"], maxBytes: 103.5 * 1024 },
  {
    // The controls load after the page, but on every visit.
    modules: [
      "src/web/features/video/video-page.tsx",
      "src/web/features/player/components/player-screen.tsx",
    ],
    maxBytes: 120.5 * 1024,
  },
  {
    modules: ["src/web/features/feed/feed-page.tsx", "src/web/app/front-page.tsx"],
    maxBytes: 119.5 * 1024,
  },
];

const manifestShape = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).optional() }),
);
type Manifest = z.infer<typeof manifestShape>;

function filesOf(manifest: Manifest, key: string, seen: Set<string>): void {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`The build has no ${key}`);
  if (seen.has(chunk.file)) return;
  seen.add(chunk.file);
  for (const inner of chunk.imports ?? []) filesOf(manifest, inner, seen);
}

/**
 * Replaces hashes in file names with numbers, because they randomly change the size by up to 250
 * bytes.
 */
function numberFiles(code: string): string {
  const numbers = new Map<string, string>();
  return code.replaceAll(/[\w-]{8}(?=\.(?:js|css)\b)/g, (hash) => {
    const number = numbers.get(hash) ?? String(numbers.size).padStart(8, "0");
    numbers.set(hash, number);
    return number;
  });
}

async function brotliBytes(file: string): Promise<number> {
  const code = await readFile(join(root, "dist/client", file), "utf8");
  return brotliCompressSync(numberFiles(code), {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  }).length;
}

/** Compares the build with the budgets. Exits with 1 if a page exceeds its budget. */
async function main(): Promise<void> {
  const text = await readFile(join(root, "dist/client/.vite/manifest.json"), "utf8");
  const manifest = manifestShape.parse(JSON.parse(text));
  for (const { modules, maxBytes } of budgets) {
    const files = new Set<string>();
    for (const module of [entry, ...modules]) filesOf(manifest, module, files);
    let bytes = 0;
    for (const file of files) bytes += await brotliBytes(file);
    const isFine = bytes <= maxBytes;
    if (!isFine) process.exitCode = 1;
    process.stdout.write(
      `${isFine ? "ok      " : "TOO MUCH"} ${bytes} of ${maxBytes} bytes: ${modules[0]}\n`,
    );
  }
}

await main();

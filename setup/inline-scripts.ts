import { build, type Plugin } from "vite";

const query = "?inline-script";

/**
 * Makes `import text from "./x.ts?inline-script"` return the compiled, minified text of `x.ts` with
 * its imports, ready for a `<script>` of the page. Works the same in builds, the development server
 * and tests.
 */
export function inlineScripts(): Plugin {
  return {
    name: "inline-scripts",
    enforce: "pre",
    // Vitest caches transformed modules by their own text and would miss changes to their imports.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (id.endsWith(query) ? false : undefined));
    },
    load: {
      filter: { id: /\?inline-script$/ },
      async handler(id) {
        const { text, sources } = await compileScript(id.slice(0, -query.length));
        for (const source of sources) this.addWatchFile(source);
        return `export default ${JSON.stringify(text)};`;
      },
    },
  };
}

async function compileScript(entry: string): Promise<{ text: string; sources: string[] }> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        output: { format: "iife" },
        // A constant may come from a module whose other imports the script doesn't need.
        treeshake: { moduleSideEffects: (id) => id === entry },
      },
    },
  });
  const [chunk, ...rest] = "output" in result ? result.output : [];
  if (chunk?.type !== "chunk" || rest.length > 0) throw new Error(`${entry} is not one script`);
  const text = chunk.code.trim();
  if (/<\/script/i.test(text)) throw new Error(`${entry} would end its own element`);
  return { text, sources: chunk.moduleIds };
}

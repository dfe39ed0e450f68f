import type { Plugin } from "vite";

/** An import alone, or one whose names Vite destructures so that unused exports can be dropped. */
const plainImport = String.raw`import\("[^"]+"\)(?:\.then\(\(?[\w$]+\)? => [\w$]+\.[\w$]+\))?`;
const wrappedImport = new RegExp(
  String.raw`__vitePreload\((?:async \(\) => \{\s*const \{[^}]*\} = await (${plainImport});\s*return \{[^}]*\};\s*\}|\(\) => (${plainImport})), __VITE_PRELOAD__\)`,
  "g",
);

/**
 * Removes the calls that Vite wraps around dynamic imports. They preload what the imported script
 * needs, but the build lists no such files (`resolveDependencies`).
 */
export function plainImports(): Plugin {
  return {
    name: "plain-imports",
    apply: "build",
    renderChunk(code) {
      if (!code.includes("__VITE_PRELOAD__")) return null;
      const result = code
        .replaceAll(wrappedImport, "$1$2")
        // Other functions, such as an import with its `then`, are called directly.
        .replaceAll("__vitePreload(", "(")
        .replaceAll(", __VITE_PRELOAD__)", ")()");
      if (result.includes("__VITE_PRELOAD__")) throw new Error("Vite wraps an import differently.");
      return { code: result, map: null };
    },
  };
}

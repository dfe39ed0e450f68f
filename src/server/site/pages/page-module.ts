import type { PageModule } from "#contract/site/page-render.ts";

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
export function asPageModule(module: unknown, path: string): PageModule {
  if (!isPageModule(module)) throw new Error(`${path} does not render pages`);
  return module;
}

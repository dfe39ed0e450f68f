import type { Plugin } from "vite";

/** Modules that come with a dependency although the site does not use them, with what replaces them. */
const replacements: readonly [id: RegExp, code: string][] = [
  // Nothing is preloaded with a lazy chunk, so the helper around its import only calls it.
  [/^\0vite\/preload-helper\.js$/, "export const __vitePreload = (load) => load();"],
  // Hooks for monitoring the router.
  [
    /react-router\/dist\/production\/lib\/router\/instrumentation\.js$/,
    `export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
     export const getRouteInstrumentationUpdates = () => ({});
     export const instrumentClientSideRouter = (router) => router;
     export const instrumentHandler = (handler) => handler;
     export const instrumentationResultMetaContext = null;`,
  ],
  // What the router's own framework adds: links that prefetch, and the tags of its documents.
  [
    /react-router\/dist\/production\/lib\/dom\/ssr\/components\.js$/,
    `import { createContext } from "react";
     const nothing = () => null;
     export const FrameworkContext = createContext(undefined);
     export const CRITICAL_CSS_DATA_ATTRIBUTE = "";
     export const usePrefetchBehavior = () => [false, null, {}];
     export const mergeRefs = (...refs) => (value) => {
       for (const ref of refs) {
         if (typeof ref === "function") ref(value);
         else if (ref != null) ref.current = value;
       }
     };
     export {
       nothing as Links,
       nothing as Meta,
       nothing as PrefetchPageLinks,
       nothing as Scripts,
       nothing as setIsHydrated,
       nothing as useFrameworkContext,
     };`,
  ],
];

/** Leaves them out of the scripts that browsers load: about 2 KB of every first load. */
export function unusedParts(): Plugin {
  return {
    name: "unused-parts",
    enforce: "pre",
    apply: "build",
    load: (id) => replacements.find(([pattern]) => pattern.test(id))?.[1] ?? null,
  };
}

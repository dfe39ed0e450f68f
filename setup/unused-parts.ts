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
];

/** Leaves them out of the scripts that browsers load: more than 1 KB of every first load. */
export function unusedParts(): Plugin {
  return {
    name: "unused-parts",
    enforce: "pre",
    apply: "build",
    load: (id) => replacements.find(([pattern]) => pattern.test(id))?.[1] ?? null,
  };
}

import { parseSync, type Plugin } from "vite";

/** Functions of the router that only what we do not use reaches. */
const unusedFunctions: Record<string, readonly string[]> = {
  // Actions, fetchers, routes that are found later, middleware.
  "/router/router.js": [
    "handleAction",
    "handleFetcherAction",
    "handleFetcherLoader",
    "fetch",
    "discoverRoutes",
    "runClientMiddlewarePipeline",
    "getTargetedDataStrategyMatches",
    "getSubmittingFetcher",
    "getDoneFetcher",
    "patchRoutesImpl",
  ],
  // The site has error pages of its own.
  "/lib/hooks.js": ["DefaultErrorComponent", "RSCErrorHandler"],
};

interface Span {
  start: number;
  end: number;
}

/** Bodies of the named functions, wherever they are declared. */
function findBodies(code: string, names: readonly string[]): Map<string, Span> {
  const found = new Map<string, Span>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    if ("type" in node && node.type === "FunctionDeclaration" && "id" in node && "body" in node) {
      const { id, body } = node;
      const name = typeof id === "object" && id !== null && "name" in id ? String(id.name) : "";
      if (names.includes(name) && isSpan(body))
        found.set(name, { start: body.start, end: body.end });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync("router.js", code).program.body);
  return found;
}

function isSpan(node: unknown): node is Span {
  return (
    typeof node === "object" &&
    node !== null &&
    "start" in node &&
    typeof node.start === "number" &&
    "end" in node &&
    typeof node.end === "number"
  );
}

/** The same code with those functions emptied; calling one says so. Throws where one is missing. */
export function emptyFunctions(code: string, names: readonly string[]): string {
  const bodies = findBodies(code, names);
  const missing = names.filter((name) => !bodies.has(name));
  if (missing.length > 0) {
    throw new Error(`React Router has changed: it no longer has ${missing.join(", ")}`);
  }
  let lean = code;
  for (const [name, { start, end }] of [...bodies].toSorted(([, a], [, b]) => b.start - a.start)) {
    const body = `{ throw new Error(${JSON.stringify(`Not in this build: ${name}`)}); }`;
    lean = lean.slice(0, start) + body + lean.slice(end);
  }
  return lean;
}

/**
 * Leaves out of a visitor's first script what this site never uses of React Router: components that
 * their display names keep alive, instrumentation, routes patched in later, actions and fetchers.
 * Together 8 KB brotli of 27.
 */
export function leanRouter(): Plugin {
  return {
    name: "lean-router",
    apply: "build",
    transform: {
      filter: { id: /react-router\/dist\/production\// },
      handler: (code, id) => {
        const kept = code
          .replace(/^\w+\.displayName = .*;$/gm, "")
          .replace(/= React\$1\.(forwardRef|memo)\(/g, "= /* @__PURE__ */ React$$1.$1(")
          .replace(/\binit\.(instrumentations|patchRoutesOnNavigation)\b/g, "undefined")
          .replace(/= consumeInstrumentationClientResultMetaReceiver\(router\)/g, "= undefined");
        const unused = Object.entries(unusedFunctions).find(([path]) => id.endsWith(path))?.[1];
        return { code: unused === undefined ? kept : emptyFunctions(kept, unused), map: null };
      },
    },
  };
}

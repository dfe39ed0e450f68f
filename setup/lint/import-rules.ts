/** Import as the rules see it: paths from the repository's root, or a package's name. */
interface Import {
  from: string;
  /** `src/...` for a file of this repository, otherwise the package as written. */
  to: string;
}

/**
 * The layers of the server, lowest first. A folder of `src/server` is a layer of the same name;
 * files directly below `src/server`, except config.ts, are the top layer.
 */
const serverLayers = [
  "contract",
  "texts",
  "lib",
  "config",
  "db",
  "storage",
  "media",
  "jobs",
  "processes",
  "http",
  "features",
  "site",
  "top",
] as const;
type ServerLayer = (typeof serverLayers)[number];

/** Pairs of layers that must not import each other, even though the order of the list allows it. */
const independent: readonly [ServerLayer, ServerLayer][] = [
  ["storage", "db"],
  ["jobs", "media"],
  ["http", "media"],
];

/** Subfolders, each with the subfolders that it may import. Files beside them are open to all. */
const orderedFolders: Record<string, Record<string, readonly string[]>> = {
  "src/server/media": {
    facts: [],
    plan: ["facts"],
    run: ["facts"],
    probe: ["facts", "run"],
    pipeline: ["facts", "plan", "run", "probe"],
  },
  "src/server/features/videos": {
    files: [],
    "processing-state": ["files"],
    replacements: ["files", "processing-state"],
    reviews: ["files", "processing-state", "replacements"],
    cuts: ["files", "processing-state", "query", "replacements"],
    publishing: [],
    query: [],
    "private-links": ["query"],
    trash: ["files", "processing-state", "query"],
  },
  "src/web/features/player": { core: [], components: ["core"] },
  "src/web/features/ads": {
    vast: [],
    core: ["vast"],
    api: ["core"],
    video: ["api", "core", "vast"],
    components: ["api", "core", "vast", "video"],
  },
  "src/web/features/admin/ads": { ads: [], campaigns: ["ads"] },
  "src/server/features/ads": {
    records: [],
    rules: ["records"],
    serves: ["records", "rules"],
    counting: ["records", "rules", "serves"],
    delivery: ["records", "rules", "serves", "counting"],
    frame: ["rules", "delivery"],
    vast: ["delivery"],
    admin: ["records", "rules"],
    campaigns: ["records", "rules"],
    reports: ["records", "rules"],
  },
};

/** A feature may only use features that come earlier in this list. */
const featureOrder = [
  "audit",
  "source-code",
  "settings",
  "webhooks",
  "auth",
  "labels",
  "videos",
  "captions",
  "restrictions",
  "passes",
  "media-redirects",
  "podcasts",
  "moderation",
  "clips",
  "engagement",
  "related",
  "search",
  "trending",
  "feed",
  "bulk",
  "processing",
  "uploads",
  "referrals",
  "ads",
  "device-transfer",
  "import-export",
  "privacy",
  "discovery",
  "statistics",
];

const webLayers = ["contract", "texts", "lib", "components", "features", "app"] as const;
/**
 * Modules: subjects with all their sides in `src/NAME/{contract,server,web,admin}`. A side follows the
 * rules of the folder in `sidesOfModule`. Other code may use a module's contract and the files at the
 * top of its other sides, but not their folders.
 */
const modules = ["ads"];
const sidesOfModule: Record<string, (name: string) => string> = {
  contract: (name) => `src/contract/${name}`,
  server: (name) => `src/server/features/${name}`,
  web: (name) => `src/web/features/${name}`,
  admin: (name) => `src/web/features/admin/${name}`,
};

/** Web features that every other web feature may use. */
const sharedWebFeatures = [
  "members",
  "player",
  "ads",
  "report",
  "consent",
  "comments",
  "favorites",
  "transcript",
  "clips",
];

/** Packages that only some folders may use. */
const restricted: { name: RegExp; allowed: RegExp; why: string }[] = [
  {
    name: /^(node:)?child_process$/,
    allowed: /^src\/server\/(media\/run|db\/engine)\//,
    why: "only media/run and db/engine start other programs",
  },
  {
    name: /^(pg|kysely)(\/|$)/,
    allowed: /^src\/server\//,
    why: "only the server talks to the database",
  },
  {
    name: /^@opentelemetry\//,
    allowed: /^src\/server\/lib\/tracing\/start-tracing\.ts$/,
    why: "only start-tracing.ts loads OpenTelemetry, where it is configured",
  },
  {
    name: /^node:/,
    allowed: /^src\/(server\/|web\/app\/server-language\.ts$)/,
    why: "this runs in a browser",
  },
  {
    name: /^(?!zod(\/mini)?$)[^.]/,
    allowed: /^src\/(server|web|texts)\//,
    why: "the contract uses nothing but zod",
  },
];

/**
 * Checks one import.
 * @returns null if it is allowed, otherwise the rule that it breaks. Tests and their fixtures may
 *   import anything: they are not part of the product.
 */
export function findBrokenRule({ from, to }: Import): string | null {
  if (!from.startsWith("src/") || /\.(test|fixture)\.tsx?$/.test(from)) return null;
  const [fromModule, toModule] = [moduleOf(from), moduleOf(to)];
  if (toModule !== null && fromModule?.name !== toModule.name && toModule.isPrivate) {
    return `${toModule.side}/ of the module ${toModule.name} shows only the files at its top`;
  }
  return findBrokenLayer({ from: fromModule?.place ?? from, to: toModule?.place ?? to });
}

/** Returns the layer whose rules apply to a file of a module. Null for files outside of modules. */
function moduleOf(path: string): {
  name: string;
  side: string;
  place: string;
  isPrivate: boolean;
} | null {
  const [src, name = "", side = "", ...inner] = path.split("/");
  const placeOf = sidesOfModule[side];
  if (src !== "src" || !modules.includes(name) || placeOf === undefined) return null;
  const place = [placeOf(name), ...inner].join("/");
  return { name, side, place, isPrivate: side !== "contract" && inner.length > 1 };
}

function findBrokenLayer({ from, to }: Import): string | null {
  if (!to.startsWith("src/")) {
    const rule = restricted.find(({ name, allowed }) => name.test(to) && !allowed.test(from));
    if (rule !== undefined) return rule.why;
    return /^(test|e2e|bench|demo|setup)\//.test(to)
      ? "src depends on no tests, tools or demonstration content"
      : null;
  }
  const sides = [sideOf(from), sideOf(to)];
  if (sides.includes("server") && sides.includes("web")) {
    return "server and web share the contract only";
  }
  return sideOf(from) === "web" ? findBrokenWebRule(from, to) : findBrokenServerRule(from, to);
}

function sideOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function findBrokenServerRule(from: string, to: string): string | null {
  const [fromFeature, toFeature] = [featureOf(from), featureOf(to)];
  if (toFeature !== null && toFeature !== fromFeature) {
    if (to.endsWith(".repository.ts")) {
      return `the repository of ${toFeature} is private: call its service`;
    }
    if (fromFeature !== null && positionOf(toFeature) >= positionOf(fromFeature)) {
      return `${fromFeature} comes before ${toFeature}: a feature uses only features before it`;
    }
  }
  const broken = findBrokenOrder(from, to);
  if (broken !== null) return broken;
  const [fromLayer, toLayer] = [serverLayer(from), serverLayer(to)];
  const isAllowed =
    serverLayers.indexOf(toLayer) <= serverLayers.indexOf(fromLayer) &&
    !independent.some(([upper, lower]) => upper === fromLayer && lower === toLayer);
  return isAllowed ? null : `${fromLayer} may not use ${toLayer}`;
}

/** Returns the rule that an import between ordered folders breaks; null if there is none. */
function findBrokenOrder(from: string, to: string): string | null {
  for (const [place, folders] of Object.entries(orderedFolders)) {
    const [user, used] = [from, to].map((path) => folderIn(place, path));
    if (user == null || used == null || user === used) continue;
    if (folders[user]?.includes(used) !== true) return `${place}/${user} may not use its ${used}`;
  }
  return null;
}

function folderIn(place: string, path: string): string | null {
  const [folder, inner] = path.startsWith(`${place}/`)
    ? path.slice(place.length + 1).split("/")
    : [];
  return folder === undefined || inner === undefined ? null : folder;
}

function positionOf(feature: string): number {
  const index = featureOrder.indexOf(feature);
  if (index < 0) throw new Error(`Add the feature "${feature}" to featureOrder in import-rules.ts`);
  return index;
}

function serverLayer(path: string): ServerLayer {
  const [, side, name = ""] = path.split("/");
  if (side === "contract" || side === "texts") return side;
  if (name === "config.ts") return "config";
  return serverLayers.find((layer) => layer === name) ?? "top";
}

function featureOf(path: string): string | null {
  return /^src\/(?:server|web)\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function findBrokenWebRule(from: string, to: string): string | null {
  const [fromFeature, toFeature] = [featureOf(from), featureOf(to)];
  const isOtherFeature = fromFeature !== null && toFeature !== null && fromFeature !== toFeature;
  if (isOtherFeature && !sharedWebFeatures.includes(toFeature)) {
    return `${fromFeature} may not use ${toFeature}: web features share only ${sharedWebFeatures.join(" and ")}`;
  }
  const layerOf = (path: string) => {
    const [, side, name] = path.split("/");
    return webLayers.findIndex((layer) => layer === (side === "web" ? name : side));
  };
  if (to === "src/texts/languages.ts" && from !== "src/web/app/entry-server.tsx") {
    return "a page loads only its own texts: use inLanguage";
  }
  if (layerOf(from) >= layerOf(to)) return findBrokenOrder(from, to);
  return `${webLayers[layerOf(from)]} may not use ${webLayers[layerOf(to)]}`;
}

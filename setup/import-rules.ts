/** One import as the rules see it: paths from the repository's root, or a package's name. */
export interface Import {
  from: string;
  /** `src/...` for a file of ours, otherwise the package as it was written. */
  to: string;
}

/** What each room may use besides itself. Imports run one way: towards the left of this list. */
const rooms = [
  "contract",
  "lib",
  "config",
  "db",
  "storage",
  "media",
  "jobs",
  "features",
  "http",
  "top",
] as const;
type Room = (typeof rooms)[number];

const belowDb = ["contract", "lib", "config"] as const;
const belowFeatures = [...belowDb, "db", "storage", "media", "jobs"] as const;
const serverMayUse: Record<Room, readonly Room[]> = {
  contract: [],
  lib: ["contract"],
  config: ["contract", "lib"],
  db: belowDb,
  storage: belowDb,
  media: [...belowDb, "db", "storage"],
  jobs: [...belowDb, "db", "storage"],
  features: belowFeatures,
  http: [...belowFeatures, "features"],
  top: [...belowFeatures, "features", "http"],
};

/** A feature calls services of features further left only. */
const featureOrder = [
  "audit",
  "settings",
  "auth",
  "visitors",
  "catalog",
  "videos",
  "uploads",
  "ads",
  "trending",
  "search",
  "discovery",
  "feed",
  "referrals",
  "admin",
];

const webRooms = ["contract", "lib", "components", "features", "app"] as const;
/** Web features that every other one may use. */
const sharedWebFeatures = ["player", "ads"];

/** Packages and modules that only some folders may use. */
const restricted: { name: RegExp; allowed: RegExp; why: string }[] = [
  {
    name: /^(node:)?child_process$/,
    allowed: /^src\/server\/(media\/run|db\/engine|demo)\//,
    why: "only media/run and db/engine start other programs",
  },
  {
    name: /^(pg|kysely)(\/|$)/,
    allowed: /^src\/server\//,
    why: "the database is the server's",
  },
  {
    name: /^node:/,
    allowed: /^src\/server\//,
    why: "this runs in a browser",
  },
  {
    name: /^(?!zod$)[^.]/,
    allowed: /^src\/(server|web)\//,
    why: "the contract uses nothing but zod",
  },
];

/** Null if this import may be, otherwise what it breaks, in words. Tests and what they stand on may import anything. */
export function findBrokenRule({ from, to }: Import): string | null {
  if (!from.startsWith("src/") || /\.(test|fixture)\.tsx?$/.test(from)) return null;
  if (!to.startsWith("src/")) {
    const rule = restricted.find(({ name, allowed }) => name.test(to) && !allowed.test(from));
    if (rule !== undefined) return rule.why;
    return /^(test|e2e|bench|setup)\//.test(to) ? "src does not depend on tests or tools" : null;
  }
  const sides = [sideOf(from), sideOf(to)];
  if (sides.includes("server") && sides.includes("web")) {
    return "server and web know each other by the contract alone";
  }
  return sideOf(from) === "web" ? findBrokenWebRule(from, to) : findBrokenServerRule(from, to);
}

function sideOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function findBrokenServerRule(from: string, to: string): string | null {
  const [fromRoom, toRoom] = [serverRoom(from), serverRoom(to)];
  const [fromFeature, toFeature] = [featureOf(from), featureOf(to)];
  if (toFeature !== null && toFeature !== fromFeature) {
    if (to.endsWith(".repository.ts") && fromFeature !== null) {
      return `the repository of ${toFeature} is its own: call its service`;
    }
    if (fromFeature !== null && rank(toFeature) >= rank(fromFeature)) {
      return `${fromFeature} comes before ${toFeature}: features use only those before them`;
    }
  }
  if (fromRoom === toRoom || (fromFeature !== null && fromFeature === toFeature)) return null;
  if (serverMayUse[fromRoom].includes(toRoom)) return null;
  return `${fromRoom} may not use ${toRoom}`;
}

function rank(feature: string): number {
  const index = featureOrder.indexOf(feature);
  if (index < 0) throw new Error(`Add the feature "${feature}" to featureOrder in import-rules.ts`);
  return index;
}

/**
 * Routes lie beside their feature and belong to http: they may use its tools. A file that puts a
 * feature together belongs to those that put everything together.
 */
function serverRoom(path: string): Room {
  const [, side, name = ""] = path.split("/");
  if (side === "contract") return "contract";
  if (path.endsWith(".routes.ts")) return "http";
  if (path.endsWith(".feature.ts")) return "top";
  if (name === "config.ts") return "config";
  return rooms.find((room) => room === name) ?? "top";
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
  const roomOf = (path: string) => {
    const [, side, name] = path.split("/");
    return webRooms.findIndex((room) => room === (side === "contract" ? "contract" : name));
  };
  if (roomOf(from) >= roomOf(to)) return null;
  return `${webRooms[roomOf(from)]} may not use ${webRooms[roomOf(to)]}`;
}

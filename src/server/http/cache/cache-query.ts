import { languageOfAddress, splitLanguage } from "#contract/site/translated-pages.ts";
import { parseQuery } from "../request-target.ts";

/**
 * Returns whether an address can be a page, because its path can be decoded and the database
 * accepts its query.
 */
export function isPageAddress(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    decodeURIComponent(path);
    // The database can't search for NUL, so the page would fail.
    return !url.includes("%00");
  } catch {
    return false;
  }
}

function normalisePath(path: string): string {
  if (/^[\w./~-]*$/.test(path)) return path;
  try {
    const segments = path.split("/");
    return segments.map((part) => encodeURIComponent(decodeURIComponent(part))).join("/");
  } catch {
    return path;
  }
}

/**
 * Maximum number of cached keys, and maximum length of their addresses. Keys are cached because
 * many requests have the same address.
 */
const maxKeptKeys = 2000;
const maxKeptLength = 300;

/** Address that no route or page will ever have. */
const unknownKey = "/.unknown";

const firstSegmentOf = (path: string): string => path.split("/", 2)[1]?.toLowerCase() ?? "";

/** Query names that affect the response of each cacheable address. All others are ignored. */
export function createCacheQuery() {
  const known = new Set<string>();
  const fixed = new Map<string, ReadonlySet<string>>();
  const patterns: { test: RegExp; names: ReadonlySet<string> }[] = [];
  const all = new Set<string>();
  const keys = new Map<string, string>();

  function namesOf(path: string): ReadonlySet<string> | null {
    const plain = path.length > 1 ? path.replace(/\/$/, "").toLowerCase() : path;
    return fixed.get(plain) ?? patterns.find(({ test }) => test.test(plain))?.names ?? null;
  }

  /**
   * Returns whether nothing can exist at this address, so that it gets the page for unknown
   * addresses.
   */
  const isUnknown = (url: string): boolean => {
    const [path = ""] = url.split("?", 1);
    return !known.has(firstSegmentOf(normalisePath(path))) && isPageAddress(url);
  };
  /** Declares that addresses below the first segment of this pattern exist. */
  const know = (pattern: string): void => {
    keys.clear();
    known.add(firstSegmentOf(pattern));
  };

  function plainKeyOf(url: string): string {
    if (isUnknown(url)) return unknownKey;
    const queryStart = url.indexOf("?");
    if (queryStart < 0) return normalisePath(url);
    const path = normalisePath(url.slice(0, queryStart));
    // An undeclared path may be another spelling of a declared one, so its key contains all names.
    const names = namesOf(path) ?? all;
    const given = [...parseQuery(url.slice(queryStart + 1))];
    const query = new URLSearchParams(given.filter(([name]) => names.has(name)));
    query.sort();
    return query.size === 0 ? path : `${path}?${query}`;
  }

  function fullKeyOf(fullUrl: string): string {
    const { language, url } = splitLanguage(fullUrl);
    const key = plainKeyOf(url);
    const own = key === unknownKey ? languageOfAddress(fullUrl) : language;
    return own === null ? key : `/${own}${key}`;
  }

  return {
    know,
    isUnknown,
    /** @param pattern a path with `:name` for a segment. */
    declare(pattern: string, names: readonly string[]): void {
      know(pattern);
      for (const name of names) all.add(name);
      const plain = pattern.toLowerCase();
      const set = new Set(names);
      if (!plain.includes(":")) fixed.set(plain, set);
      else patterns.push({ test: new RegExp(`^${plain.replace(/:\w+/g, "[^/]+")}$`), names: set });
    },

    /**
     * Returns the cache key of an address: the path with canonical percent-encoding, and the query
     * in a fixed order without unused names. All unknown addresses of a language share one key.
     * Only here may the language precede the path.
     */
    keyOf(fullUrl: string): string {
      const cached = keys.get(fullUrl);
      if (cached !== undefined) return cached;
      const key = fullKeyOf(fullUrl);
      if (fullUrl.length > maxKeptLength) return key;
      if (keys.size >= maxKeptKeys) keys.clear();
      keys.set(fullUrl, key);
      return key;
    },

    /** Returns whether this is the key of the page for unknown addresses, in any language. */
    isUnknownKey: (key: string): boolean => key.endsWith(unknownKey),
    /** Returns whether the path of this address is declared. */
    isDeclared: (url: string): boolean =>
      namesOf(normalisePath(url.split("?", 1)[0] ?? "")) !== null,
  };
}

export type CacheQuery = ReturnType<typeof createCacheQuery>;

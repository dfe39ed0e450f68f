/** Which query names each cacheable address reads. All others do not change its response. */
export interface CacheQuery {
  /** @param pattern a path with `:name` for a segment. */
  declare(pattern: string, names: readonly string[]): void;
  /**
   * The address as the cache knows it: its query in a fixed order and without names that nothing
   * reads, its path in one of the ways to percent-encode it.
   */
  keyOf(url: string): string;
}

function normalisePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    const segments = path.split("/");
    return segments.map((part) => encodeURIComponent(decodeURIComponent(part))).join("/");
  } catch {
    return path;
  }
}

export function createCacheQuery(): CacheQuery {
  const fixed = new Map<string, readonly string[]>();
  const patterns: { test: RegExp; names: readonly string[] }[] = [];
  const all = new Set<string>();

  /** An undeclared path may be another spelling of a declared one, so it keeps all names. */
  function namesOf(path: string): Iterable<string> {
    const plain = path.length > 1 ? path.replace(/\/$/, "").toLowerCase() : path;
    return fixed.get(plain) ?? patterns.find(({ test }) => test.test(plain))?.names ?? all;
  }

  return {
    declare(pattern, names) {
      for (const name of names) all.add(name);
      const plain = pattern.toLowerCase();
      if (!plain.includes(":")) fixed.set(plain, names);
      else patterns.push({ test: new RegExp(`^${plain.replace(/:\w+/g, "[^/]+")}$`), names });
    },

    keyOf(url) {
      const at = url.indexOf("?");
      if (at < 0) return normalisePath(url);
      const path = normalisePath(url.slice(0, at));
      const given = new URLSearchParams(url.slice(at + 1));
      const kept = new URLSearchParams();
      for (const name of [...namesOf(path)].toSorted()) {
        for (const value of given.getAll(name)) kept.append(name, value);
      }
      return kept.size === 0 ? path : `${path}?${kept}`;
    },
  };
}

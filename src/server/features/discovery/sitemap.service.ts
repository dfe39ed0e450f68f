import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Db } from "#server/db/connection.ts";
import { readSiteTally } from "#server/features/videos/query/tallies.sql.ts";
import type { Clock } from "#server/lib/clock.ts";
import { findVideoAt, listLabelPaths, listSitemapVideos } from "./sitemap.repository.ts";
import { indexXml, pageEntry, urlSetHead, urlSetTail, videoEntry } from "./sitemap-xml.ts";

const compress = promisify(gzip);

/** Maximum number of entries per file. The format allows 50,000. */
const partMax = 45_000;
const pages = ["/", "/home", "/trending", "/categories", "/tags", "/actors"];
/** Number of rows per query. */
const chunkRows = 1000;

interface CachedFile {
  until: number;
  body: Promise<Buffer>;
}

/**
 * Caches each file for a millisecond per entry. That is hardly any time on a small site and 45 s
 * for a full part. Concurrent requests for a file share one rendering.
 */
export function createSitemapService(deps: {
  db: Db;
  clock: Clock;
  siteUrl: () => Promise<string>;
  /** True if the server knows the countries of visitors. Otherwise no country is blocked. */
  knowsCountries?: boolean;
  /** Returns the addresses of the operator's pages that search engines may list. */
  listOwnPages?: () => Promise<string[]>;
  /** Smaller in tests. */
  partSize?: number;
}) {
  const { db, clock, siteUrl, listOwnPages = async () => [], partSize = partMax } = deps;
  const { knowsCountries = false } = deps;
  const files = new Map<string, CachedFile>();

  function cached(name: string, render: () => Promise<Buffer>): Promise<Buffer> {
    for (const [other, { until }] of files) if (clock.now() >= until) files.delete(other);
    const known = files.get(name);
    if (known !== undefined) return known.body;
    const startedAt = clock.now();
    const entry: CachedFile = { until: Infinity, body: render() };
    files.set(name, entry);
    entry.body.then(
      () => {
        entry.until = startedAt + (sizes.get(name) ?? 0);
      },
      () => files.delete(name),
    );
    return entry.body;
  }
  /** Number of entries per file. */
  const sizes = new Map<string, number>();

  const readPaths = async () => [
    ...pages,
    ...(await listOwnPages()).map((address) => `/pages/${address}`),
    ...(await listLabelPaths(db)),
  ];

  async function countParts(): Promise<number> {
    const [{ listed }, paths] = await Promise.all([readSiteTally(db), readPaths()]);
    return Math.max(1, Math.ceil((listed + paths.length) / partSize));
  }

  /** Renders the pages of the site and of labels first, then videos ordered by id. */
  async function renderPart(name: string, part: number): Promise<Buffer> {
    const [url, paths] = await Promise.all([siteUrl(), readPaths()]);
    const start = (part - 1) * partSize;
    const own = paths.slice(start, start + partSize);
    const chunks = [urlSetHead, ...own.map((path) => pageEntry(url, path))];
    let left = partSize - own.length;
    let afterId = await findVideoAt(db, Math.max(0, start - paths.length));
    while (left > 0) {
      const rows = await listSitemapVideos(db, afterId, Math.min(chunkRows, left));
      for (const row of rows) {
        const blockedCountries = knowsCountries ? row.blockedCountries : [];
        chunks.push(videoEntry(url, { ...row, blockedCountries }));
      }
      left -= rows.length;
      afterId = rows.at(-1)?.id ?? null;
      if (rows.length < chunkRows) break;
    }
    sizes.set(name, partSize - left);
    chunks.push(urlSetTail);
    return compress(chunks.join(""));
  }

  return {
    /**
     * Returns the compressed sitemap, or the index of its parts if it doesn't fit into one file.
     */
    async getRoot(): Promise<Buffer> {
      const parts = await countParts();
      if (parts > 1) return compress(indexXml(await siteUrl(), parts));
      return cached("root", () => renderPart("root", 1));
    },
    /** Returns one compressed part, counted from 1, or null if it doesn't exist. */
    async findPart(part: number): Promise<Buffer | null> {
      if (part < 1 || part > (await countParts())) return null;
      const name = `part ${part}`;
      return cached(name, () => renderPart(name, part));
    },
  };
}

export type SitemapService = ReturnType<typeof createSitemapService>;

import { isTranslated, languageOfAddress } from "#contract/site/translated-pages.ts";
import { parseStartTime } from "#contract/videos/start-time.ts";
import { concerns, type Changes, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { requireVideo } from "#server/http/access/video-gate.ts";
import type { HttpCore } from "#server/http/app.ts";
import { parseQuery } from "#server/http/request-target.ts";
import type { Logger } from "#server/lib/logger.ts";
import * as repository from "./site-imports.repository.ts";

/** First segments of this site's own addresses, besides those of translated pages. */
const ownSegments = new Set([
  ...["api", "media", "assets", "spots", ".well-known", "report-senders"],
  ...["admin", "auth", "setup", "partner", "healthz", "readyz", "metrics"],
]);
/** Files such as `robots.txt` and icons. */
const ownFile = /^\/[^/]+\.(?:txt|xml|json|webmanifest|png|svg|ico|js|css|gz|rss)$/;
/** Addresses of which only those of existing videos are in use. */
const videoPages = /^\/(?:video|embed)(?:\/|$)/;
/** Embeds of other sites, such as `/videos/embed/ID`, `/vEmbed/ID` and `/player/embed_player.php`. */
const embedPage = /^\/(?:[^/]+\/)?(?:v|video)?embed(?:_player)?(?:\.php)?(?:\/|$)/i;
/** Without it, a host can't be told from a path. */
const validStart = /^(?:\/|https?:\/\/)/i;
const maxLength = 2000;
/** Maximum number of parameters of a requested address that are looked at. */
const maxParameters = 10;

/** Returns a path with one spelling for each character, and without a slash at its end. */
function plainPath(path: string): string | null {
  try {
    const segments = path.split("/").map((part) => decodeURIComponent(part).normalize("NFC"));
    if (segments.some((part) => /[\u0000-\u001f]/.test(part))) return null;
    const plain = segments.map((part) => encodeURIComponent(part)).join("/");
    return plain.length > 1 ? plain.replace(/\/+$/, "") : plain;
  } catch {
    return null;
  }
}

/** Returns an address as it is stored: path and sorted query, without its site and fragment. */
export function canonicalAddress(given: string): string | null {
  if (given.length > maxLength || !validStart.test(given.trim())) return null;
  const url = URL.parse(given.trim().replaceAll("&amp;", "&"), "http://old.invalid/");
  if (url === null) return null;
  const path = plainPath(url.pathname);
  if (path === null) return null;
  url.searchParams.sort();
  return url.searchParams.size === 0 ? path : `${path}?${url.searchParams}`;
}

/**
 * Returns whether this site uses the address itself, so that it can't lead to a video. False for
 * pages of videos, which depend on the database.
 */
export function isOwnAddress(address: string): boolean {
  const full = (address.split("?", 1)[0] ?? "").toLowerCase();
  const path = full.slice((languageOfAddress(full)?.length ?? -1) + 1);
  const segment = path.split("/", 2)[1] ?? "";
  const isPage = isTranslated(path) && !videoPages.test(full);
  return isPage || ownSegments.has(segment) || ownFile.test(path);
}

/** Returns whether this is the page of a video of this site, under its slug, ID or an old slug. */
async function isVideoPage(db: Db, address: string): Promise<boolean> {
  const name = /^\/(?:video|embed)\/([^/?]+)(?:\?|$)/i.exec(address)?.[1];
  return name !== undefined && repository.isVideoName(db, decodeURIComponent(name));
}

/**
 * Returns the queries with which a requested address may be stored, the longest ones first. Other
 * sites add parameters before or after those of the address, so every run of consecutive parameters is tried.
 */
function queriesIn(query: URLSearchParams): string[] {
  const pairs = [...query].slice(0, maxParameters);
  const parts = pairs.flatMap((_, from) =>
    pairs.slice(from).map((__, at) => pairs.slice(from, from + at + 1)),
  );
  return [[...query], ...parts.toSorted((a, b) => b.length - a.length)].map((part) => {
    const sorted = new URLSearchParams(part);
    sorted.sort();
    return sorted.toString();
  });
}

/** @param findOther returns the slug of another video to which an address leads. */
async function findProblems(
  db: Db,
  addresses: readonly string[],
  findOther: (address: string) => Promise<string | null>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const given of new Set(addresses)) {
    const address = canonicalAddress(given);
    if (!validStart.test(given.trim())) problems.push(`${given}: must start with / or https://`);
    else if (address === null || address === "/") {
      problems.push(`${given}: not an address of a video`);
    } else if (isOwnAddress(address) || (await isVideoPage(db, address))) {
      problems.push(`${address}: this site has a page at that address`);
    } else {
      const other = await findOther(address);
      if (other !== null) problems.push(`${address}: already leads to /video/${other}`);
    }
  }
  return problems;
}

/** Addresses that videos had on another site. They lead to the videos for good. */
export function createOldAddresses(deps: {
  db: Db;
  logger: Logger;
  http: HttpCore;
  changed: PublishChanges;
}) {
  const { db, logger, http, changed } = deps;
  let segments = new Set<string>();

  async function refresh(): Promise<void> {
    segments = new Set(await repository.listFirstSegments(db));
    // Otherwise the cached page for unknown addresses would answer.
    for (const segment of segments) http.cacheQuery.know(`/${segment}`);
  }

  return {
    refresh,

    /** Reads the addresses again if they have changed. */
    invalidate(changes: Changes): void {
      if (!concerns(changes, "addresses")) return;
      refresh().catch((error: unknown) =>
        logger.warn({ err: error }, "couldn't read old addresses"),
      );
    },

    /**
     * Makes addresses lead to a video.
     * @returns why some of them don't, one line each.
     */
    add: (videoId: string, addresses: readonly string[]): Promise<string[]> =>
      findProblems(db, addresses, (address) => repository.saveAddress(db, address, videoId)),

    /**
     * Returns why some addresses couldn't lead to a video, without changing anything.
     * @param videoId null for a video that doesn't exist yet.
     */
    check: (videoId: string | null, addresses: readonly string[]): Promise<string[]> =>
      findProblems(db, addresses, (address) => repository.findOtherVideo(db, address, videoId)),

    /** Tells all processes about added addresses. */
    announce: () => changed(["addresses"]),

    /**
     * Returns the page that an old address leads to, or null. Extra parameters are ignored, except
     * a start time. @throws AppError blocked_country.
     */
    async find(url: string): Promise<string | null> {
      if (url.length > maxLength) return null;
      const [given = "", ...rest] = url.split("?");
      const path = plainPath(given);
      const segment = path?.split("/", 2)[1]?.toLowerCase() ?? "";
      if (path === null || !segments.has(segment)) return null;
      const query = parseQuery(rest.join("?"));
      // PeerTube's links to comments have a parameter in the path: `/w/ID;threadId=5`.
      const [plain = ""] = path.split("%3B", 1);
      const queries = queriesIn(query);
      const candidates = [...new Set([path, plain])].flatMap((each) => [
        ...queries.map((part) => `${each}?${part}`),
        each,
      ]);
      const video = await repository.findByAddress(db, candidates);
      if (video === null || (await isVideoPage(db, plain))) return null;
      requireVideo(video.id);
      const isEmbed = embedPage.test(path);
      const startS = parseStartTime(query.get("t") ?? query.get("start"));
      const page = `${isEmbed ? "/embed" : "/video"}/${encodeURIComponent(video.slug)}`;
      return startS === null ? page : `${page}?t=${startS}`;
    },
  };
}

export type OldAddresses = ReturnType<typeof createOldAddresses>;

import { createHash } from "node:crypto";
import { z } from "zod";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "#server/config.ts";
import { membersOnly } from "#server/features/passes/passes.routes.ts";
import type { Membership } from "#server/features/passes/membership.ts";
import { mayPlay } from "#server/features/videos/may-play.ts";
import type { MediaAccess } from "#server/features/videos/files/media-access.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { PrivateLinksService } from "#server/features/videos/private-links/private-links.service.ts";
import { privateArea, ticketArea } from "#server/storage/media-keys.ts";
import type {
  ProtectionSettings,
  SettingsService,
} from "#server/features/settings/settings.service.ts";
import { noAi } from "#server/features/discovery/robots.ts";
import type { RestrictionsService } from "#server/features/restrictions/restrictions.service.ts";
import type { SiteStorage } from "#server/storage/site-storage.ts";
import type { MediaBudget } from "./media-budget.ts";
import { isStorageKey, type ObjectStat } from "#server/storage/storage.ts";
import type { FindRedirect } from "#server/features/media-redirects/media-redirects.feature.ts";
import type { App } from "#server/http/app.ts";
import { viewerOf } from "#server/http/access/policy.ts";
import { readRange, sendPieces } from "#server/http/send-pieces.ts";

interface Deps {
  storage: SiteStorage;
  access: MediaAccess;
  privateLinks: PrivateLinksService;
  config: Config;
  findRedirect: FindRedirect;
  restrictions: RestrictionsService;
  membership: Membership;
  settings: SettingsService;
  budget: MediaBudget;
}

const foreignLink =
  "This site's videos can only be played on its own pages. Open the video's page to watch it.";

/** Previews of shared links show pictures, so other sites may always link them. */
const isPicture = (key: string): boolean => /\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/.test(key);

/**
 * Returns whether a page of another site asks for a file, or a client that doesn't say which page
 * asks (Fetch Metadata, `Sec-Fetch-Site`). A file that someone opens in a tab of its own is shown.
 */
function isForeignLink(
  { headers }: FastifyRequest,
  { mediaWithoutOrigin }: ProtectionSettings,
): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined) return !mediaWithoutOrigin;
  return site === "cross-site" && headers["sec-fetch-dest"] !== "document";
}

const pathParams = z.object({ "*": z.string() });
interface Audience {
  isPublic: boolean;
  /** True if intermediate caches may store the file. */
  isKept: boolean;
  /** True if a bucket may hold a public copy. */
  hasCopy?: boolean;
  /** For members' files: returns whether the client may still have the rest of the file. */
  mayContinue?: () => Promise<boolean>;
}

const secret: Audience = { isPublic: false, isKept: false };

/** Interval at which an open response to a member is checked, so that it ends with the pass. */
const recheckMs = 15_000;

/** No cache may give a member's file to someone else, or a refusal to a member. */
const memberHeaders = { "cache-control": "private, no-store", vary: "Cookie" };

const notFound = () => new AppError("not_found", "File not found.");

/**
 * Serves media. `/media/v/{token}/...` belongs to one video and is public while the video is
 * listed. `/media/public/...` is always public. `/media/private/{secret}/...` is public while the
 * secret belongs to a private video. `/media/ticket/{ticket}/v/...` is for back-office pages.
 * Addresses change with their content, so they are immutable.
 */
export function registerMediaFiles(app: App, deps: Deps): void {
  const { storage, access, privateLinks, config, findRedirect, restrictions, settings } = deps;
  const { budget, membership } = deps;

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const path = pathParams.parse(request.params)["*"];
    if (!isStorageKey(path)) throw notFound();
    // The session hook has checked the ticket.
    const isTicketed = path.startsWith(`${ticketArea}/`);
    const rest = isTicketed ? path.split("/").slice(2).join("/") : path;
    const [area, token = ""] = rest.split("/");
    if (area === privateArea) {
      const linked = await privateLinks.findFolder(token);
      const key = rest.split("/").slice(2).join("/");
      if (linked === null || key === "") throw notFound();
      return sendObject(request, reply, linked.folder + key, secret);
    }
    if (area === "public")
      return sendObject(request, reply, rest, { isPublic: true, isKept: true });
    const found = area === "v" ? await access(token) : null;
    if (found === null || (found.who === "admins" && !viewerOf(request).isAdmin)) throw notFound();
    if (found.isMembersOnly && !found.openFiles.has(rest)) {
      return sendToMember(request, reply, rest, token);
    }
    if (found.who === "admins") return sendObject(request, reply, rest, secret);
    // Intermediate caches don't know the country of the next client.
    const isKept = !isTicketed && !restrictions.isRestricted(found.videoId);
    return sendObject(request, reply, rest, {
      isPublic: true,
      isKept,
      hasCopy: isKept && !found.isMembersOnly,
    });
  }

  /**
   * Sends a file that needs a pass. This server always sends it itself, because neither a bucket nor
   * a proxy stops when the pass ends.
   */
  async function sendToMember(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    token: string,
  ): Promise<unknown> {
    const { isAdmin } = viewerOf(request);
    const isAllowed = async () => {
      const found = await access(token);
      const isMember = !isAdmin && (await membership.isMember(request));
      return (
        found !== null && (isAdmin || found.who === "all") && mayPlay(found, { isAdmin, isMember })
      );
    };
    void reply.headers(memberHeaders);
    if (!(await isAllowed())) throw membersOnly();
    return sendObject(request, reply, key, { ...secret, mayContinue: isAllowed });
  }

  async function sendObject(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    { isPublic, isKept, hasCopy = false, mayContinue }: Audience,
  ): Promise<unknown> {
    const rules = await settings.current();
    if (!rules.mediaOnOtherSites && !isPicture(key)) {
      const vary = mayContinue === undefined ? "Sec-Fetch-Site" : "Cookie, Sec-Fetch-Site";
      void reply.header("vary", vary);
      if (isForeignLink(request, rules)) {
        budget.refuseHotlink(bodyLength(request, await storage.getStat(key)));
        throw new AppError("forbidden", foreignLink);
      }
    }
    void reply.headers({
      ...(rules.crawlAi ? {} : { "x-robots-tag": noAi }),
      // A file opened as a page is displayed, but scripts in it don't run.
      "content-security-policy":
        "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; sandbox",
      "cross-origin-resource-policy": isPublic ? "cross-origin" : "same-origin",
      ...(isPublic
        ? {
            "access-control-allow-origin": "*",
            "access-control-expose-headers": "Content-Length, Content-Range",
          }
        : {}),
      "cache-control": isPublic
        ? `${isKept ? "public" : "private"}, max-age=31536000, immutable`
        : mayContinue === undefined
          ? "private, no-cache"
          : memberHeaders["cache-control"],
    });
    const isElsewhere = config.accelRedirect !== null || storage.currentKind() === "s3";
    if (isElsewhere || request.method === "HEAD" || hasCondition(request)) {
      const { place, stat } = await storage.locate(key);
      if (place === "disk" && config.accelRedirect !== null && mayContinue === undefined) {
        void reply.header("content-type", stat.contentType);
        return reply.header("x-accel-redirect", `${config.accelRedirect}/${key}`).send("");
      }
      // The bucket accepts a signed address only for the signed method, which is GET.
      const mayRedirect = place === "s3" && mayContinue === undefined && request.method !== "HEAD";
      const redirect = mayRedirect
        ? await findRedirect(stat, { isPublic: isPublic && isKept, hasCopy })
        : null;
      if (redirect !== null) {
        void reply.header("cache-control", redirect.cacheControl);
        return reply.redirect(redirect.url, 302);
      }
      if (isNotModified(request, stat)) {
        return reply.headers(validatorsOf(stat)).status(304).send();
      }
      if (request.method === "HEAD") {
        selectRange(request, reply, stat);
        return reply.send("");
      }
    }
    const object = await storage.openRead(key);
    const recheck =
      mayContinue === undefined ? null : endWith(mayContinue, () => reply.raw.destroy());
    try {
      const range = selectRange(request, reply, object.stat);
      if (range.end < range.start) return await reply.send("");
      const length = range.end - range.start + 1;
      const counted = await budget.begin(request, { length, isLimited: !isPicture(key) });
      await sendPieces(reply, object.pieces(range), counted.count);
      return reply;
    } finally {
      clearInterval(recheck ?? undefined);
      object.close();
    }
  }

  app.route({
    method: ["GET", "HEAD"],
    url: "/media/*",
    exposeHeadRoute: false,
    config: { policy: "public", skipsReadLimit: true },
    schema: { hide: true },
    handler: send,
  });
  // The same for every address, so that it doesn't tell which files exist.
  app.options(
    "/media/*",
    { config: { policy: "public", skipsReadLimit: true }, schema: { hide: true } },
    (_request, reply) =>
      reply
        .status(204)
        .headers({
          "access-control-allow-origin": "*",
          "access-control-allow-methods": "GET, HEAD",
          "access-control-allow-headers": "Range",
          "access-control-max-age": "86400",
        })
        .send(),
  );
}

/** Calls `end` once the client of an open response may no longer have the file. */
export function endWith(mayContinue: () => Promise<boolean>, end: () => void): NodeJS.Timeout {
  return setInterval(() => {
    mayContinue().then(
      (isAllowed) => {
        if (!isAllowed) end();
      },
      // The visitor's country is blocked by now, or the database is unreachable.
      end,
    );
  }, recheckMs);
}

/**
 * Computes a tag from key and size. The content under a key never changes, so the tag survives a
 * storage migration.
 */
const etagOf = ({ key, sizeBytes }: ObjectStat): string =>
  `"${createHash("sha256").update(`${key}:${sizeBytes}`).digest("base64url").slice(0, 20)}"`;

const validatorsOf = (stat: ObjectStat) => ({
  "content-type": stat.contentType,
  "accept-ranges": "bytes",
  etag: etagOf(stat),
  "last-modified": stat.modifiedAt.toUTCString(),
});

/**
 * Sets status and headers for the requested part of the file.
 * @returns the first and last byte, both included. In an empty file, the last one precedes the
 * first.
 */
function selectRange(request: FastifyRequest, reply: FastifyReply, stat: ObjectStat) {
  void reply.headers(validatorsOf(stat));
  const range = acceptsRange(request, stat)
    ? readRange(request.headers.range, stat.sizeBytes)
    : ({ kind: "whole" } as const);
  if (range.kind === "unsatisfiable") {
    void reply.header("content-range", `bytes */${stat.sizeBytes}`);
    throw new AppError(
      "range_not_satisfiable",
      "The requested range is beyond the end of the file.",
    );
  }
  if (range.kind === "whole") {
    void reply.header("content-length", stat.sizeBytes);
    return { start: 0, end: stat.sizeBytes - 1 };
  }
  const { start, end } = range;
  void reply.status(206).headers({
    "content-length": end - start + 1,
    "content-range": `bytes ${start}-${end}/${stat.sizeBytes}`,
  });
  return { start, end };
}

/** Returns the number of bytes that a request would get. */
function bodyLength(request: FastifyRequest, { sizeBytes }: ObjectStat): number {
  if (request.method === "HEAD") return 0;
  const range = readRange(request.headers.range, sizeBytes);
  if (range.kind === "unsatisfiable") return 0;
  return range.kind === "whole" ? sizeBytes : range.end - range.start + 1;
}

const hasCondition = ({ headers }: FastifyRequest): boolean =>
  headers["if-none-match"] !== undefined || headers["if-modified-since"] !== undefined;

function isNotModified(request: FastifyRequest, stat: ObjectStat): boolean {
  const match = request.headers["if-none-match"];
  if (match !== undefined) {
    return match
      .split(",")
      .some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etagOf(stat));
  }
  const since = Date.parse(request.headers["if-modified-since"] ?? "");
  return !Number.isNaN(since) && Math.floor(stat.modifiedAt.getTime() / 1000) * 1000 <= since;
}

/** Checks `If-Range`. A file that has changed is sent as a whole. */
function acceptsRange(request: FastifyRequest, stat: ObjectStat): boolean {
  const condition = request.headers["if-range"];
  if (condition === undefined || typeof condition !== "string") return true;
  if (condition.startsWith('"')) return condition === etagOf(stat);
  const since = Date.parse(condition);
  return !Number.isNaN(since) && Math.floor(stat.modifiedAt.getTime() / 1000) * 1000 === since;
}

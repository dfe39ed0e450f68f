import type { KeyObject } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  pageTokenHeader,
  pageTokenMeta,
  ticketMs,
  ticketParameter,
} from "#contract/accounts/page-token.ts";
import type { Video } from "#contract/videos/videos.ts";
import type { Clock } from "#server/lib/clock.ts";
import { equalBytes, hmacText } from "#server/lib/ids.ts";
import {
  publicVideoPrefix,
  ticketedMediaUrl,
  ticketOfMediaPath,
} from "#server/storage/media-keys.ts";
import { targetOf } from "../request-target.ts";
import { isDocumentLoad, isFromBrowser } from "./fetch-metadata.ts";

/** A media ticket, which is in many addresses of a page, opens nothing else. */
type TicketUse = "read" | "media";

interface SessionRef {
  id: string;
  sessionId: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /**
     * Ticket for the media addresses in a response to a back-office page. Null for visitors and
     * programs.
     */
    mediaTicket: string | null;
  }
}

/**
 * Media tickets of a session change every six hours and are valid for up to twelve, so that
 * addresses stay the same while a page shows them and a long video can be watched to its end.
 */
const mediaTicketMs = 6 * 3600 * 1000;

/**
 * A session cookie accompanies every request of a browser, also those of a trusted ad's script in
 * a page that was opened before the user signed in. So the cookie alone gives a browser's request
 * no more than a visitor's rights. The rights of the session need one of these:
 *
 * - The page token in a header. Only back-office pages contain it, and only if they are loaded into
 *   a tab or window. No other document of the site can read them: they can't be framed, have their
 *   own browsing context group, and are in no cache.
 * - A ticket in the address, for downloads, event streams and media. Only the token buys tickets.
 * - The page itself, while a tab or window loads it.
 *
 * Programs send no `Sec-Fetch-` headers and need none of this.
 */
export function createPageTokens({ secret, clock }: { secret: KeyObject; clock: Clock }) {
  const sign = (text: string) => hmacText(secret, `page-token:${text}`);
  const isSigned = (text: string, signature: string) =>
    equalBytes(Buffer.from(signature), Buffer.from(sign(text)));

  /** Returns the page token of a session. */
  const create = ({ id, sessionId }: SessionRef) => {
    const subject = `${id}.${sessionId}`;
    return `${subject}.${sign(subject)}`;
  };

  /** Returns the user and session of a token that this site has created, otherwise null. */
  function read(request: FastifyRequest): SessionRef | null {
    const token = request.headers[pageTokenHeader];
    const [id = "", sessionId = "", signature = ""] = String(token ?? "").split(".");
    return isSigned(`${id}.${sessionId}`, signature) ? { id, sessionId } : null;
  }

  const ticketOf = (use: TicketUse, { sessionId }: SessionRef, untilMs: number) => {
    const until = untilMs.toString(36);
    return `${until}.${sign(`${use}:${sessionId}:${until}`)}`;
  };

  /** Returns whether a read has a valid ticket in its address. */
  function hasTicket({ method, raw }: FastifyRequest, { sessionId }: SessionRef): boolean {
    if (method !== "GET" && method !== "HEAD") return false;
    const [path = "", query] = targetOf(raw).url.split("?", 2);
    const inPath = ticketOfMediaPath(path);
    const use: TicketUse = inPath === null ? "read" : "media";
    const ticket = inPath ?? new URLSearchParams(query).get(ticketParameter) ?? "";
    const [until = "", signature = ""] = ticket.split(".");
    const isValid = isSigned(`${use}:${sessionId}:${until}`, signature);
    return isValid && clock.now() < Number.parseInt(until, 36);
  }

  return {
    create,
    /** Returns a ticket for a few requests without headers. */
    createTicket: (session: SessionRef): string =>
      ticketOf("read", session, clock.now() + ticketMs),
    /**
     * Returns whether the request may use its session, and the ticket with which its response
     * should address media. The ticket is null for programs.
     */
    check(
      request: FastifyRequest,
      session: SessionRef,
    ): { isAllowed: boolean; mediaTicket: string | null } {
      if (!isFromBrowser(request.headers)) return { isAllowed: true, mediaTicket: null };
      const isAllowed =
        read(request)?.sessionId === session.sessionId ||
        isPageLoad(request) ||
        hasTicket(request, session);
      const window = Math.floor(clock.now() / mediaTicketMs) * mediaTicketMs;
      const untilMs = window + 2 * mediaTicketMs;
      return { isAllowed, mediaTicket: isAllowed ? ticketOf("media", session, untilMs) : null };
    },
    /**
     * Returns whether the request has the token of this or an earlier session of the user, whose
     * page may continue with a new token.
     */
    belongsToUser: (request: FastifyRequest, userId: string): boolean =>
      read(request)?.id === userId,
  };
}

export type PageTokens = ReturnType<typeof createPageTokens>;

/** Returns whether a tab or window loads a page. Pages have no route. */
const isPageLoad = ({ is404, headers }: FastifyRequest): boolean =>
  is404 && isDocumentLoad(headers);

const videoFiles = `/media/${publicVideoPrefix}`;

/** Adds the ticket to every media address in a response. Copies only what it changes. */
export function addTickets(value: unknown, ticket: string): unknown {
  if (typeof value === "string") {
    return value.startsWith(videoFiles) ? ticketedMediaUrl(value, ticket) : value;
  }
  if (Array.isArray(value)) {
    const added = value.map((item) => addTickets(item, ticket));
    return added.some((item, at) => item !== value[at]) ? added : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const added = Object.entries(value).map(([name, item]) => [name, addTickets(item, ticket)]);
  const isChanged = added.some(([name, item]) => item !== Reflect.get(value, String(name)));
  return isChanged ? Object.fromEntries(added) : value;
}

/** Adds tickets to the media addresses in JSON responses to back-office pages. */
export function registerMediaTickets(app: FastifyInstance): void {
  app.decorateRequest("mediaTicket", null);
  app.addHook("preSerialization", (request, _reply, payload, done) => {
    const { mediaTicket } = request;
    done(null, mediaTicket === null ? payload : addTickets(payload, mediaTicket));
  });
}

/**
 * Adds the token to the HTML of a back-office page.
 * @param draft the video that only the back office may show, if the page is that of a draft.
 */
export function addPageToken(
  html: string,
  { token, ticket, draft }: { token: string; ticket: string; draft: Video | null },
): string {
  const page = html.replace("</head>", `<meta name="${pageTokenMeta}" content="${token}"></head>`);
  const file = draft?.thumbnail ?? draft?.videoUrl;
  const [folder] = /^\/media\/v\/[\w-]+\//.exec(file ?? "") ?? [];
  return folder === undefined ? page : page.replaceAll(folder, ticketedMediaUrl(folder, ticket));
}

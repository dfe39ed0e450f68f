import type { KeyObject } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { equalBytes, hmacText, isUuid, newId } from "#server/lib/ids.ts";
import { toAddressGroup, networkOf } from "../limits/network-address.ts";
import { readCookie, writeCookie } from "./cookies.ts";

const cookieName = "visitor";
const oneYearS = 365 * 24 * 3600;
/**
 * Header with the content of the cookie. Embeds send it, because browsers withhold cookies from
 * frames on other sites. Other sites can't send it, because the CORS preflight fails.
 */
const carriedHeader = "x-visitor";
/** Number of base64url characters that hold 16 bytes. The last character has unused bits. */
const signatureLength = 22;
const signatureBytes = (text: string) => Buffer.from(text, "base64url");

/** Identifies visitors by a signed, random cookie. Only calls that need the cookie set it. */
export function createVisitors(secret: KeyObject) {
  const sign = (id: string) => hmacText(secret, `visitor:${id}`).slice(0, signatureLength);
  const keyOfToday = (kind: "address" | "group", text: string) => {
    const day = Math.floor(Date.now() / 86_400_000);
    return hmacText(secret, `${kind}:${day}:${text}`).slice(0, 16);
  };

  /** Returns the visitor's id, or null if the cookie and the header are absent or forged. */
  function find(request: FastifyRequest): string | null {
    const carried = request.headers[carriedHeader];
    const value = readCookie(request.headers.cookie, cookieName) ?? carried;
    if (typeof value !== "string") return null;
    const [id = "", signature = ""] = value.split(".");
    if (!isUuid(id)) return null;
    return equalBytes(signatureBytes(signature), signatureBytes(sign(id))) ? id : null;
  }

  const signed = (id: string) => `${id}.${sign(id)}`;

  function setCookie(request: FastifyRequest, reply: FastifyReply, id: string): string {
    const isSecure = request.protocol === "https";
    const cookie = writeCookie(cookieName, signed(id), { maxAgeS: oneYearS, isSecure });
    void reply.header("set-cookie", cookie);
    return id;
  }

  return {
    find,
    /**
     * Returns the content of the cookie for the visitor that `ensure` created for this request of
     * an embed, which sends it back in the header. Otherwise returns undefined.
     */
    carriedBack(request: FastifyRequest, id: string, origin: string | undefined) {
      return origin === "embed" && find(request) === null ? signed(id) : undefined;
    },
    /** Returns the visitor's id. Creates one and sets the cookie if there is none. */
    ensure: (request: FastifyRequest, reply: FastifyReply): string =>
      find(request) ?? setCookie(request, reply, newId()),
    /**
     * Like `ensure`, but the cookie lasts another year. Only for what visitors do themselves: a late
     * playback report must not restore an ID that the visitor has deleted.
     */
    ensureForAnotherYear: (request: FastifyRequest, reply: FastifyReply): string =>
      setCookie(request, reply, find(request) ?? newId()),
    /**
     * Returns a keyed hash of the request's address (the /64 of an IPv6 address), for caps. The
     * hash changes daily, so it can't be used for tracking.
     */
    addressKey: ({ ip }: FastifyRequest): string => keyOfToday("address", networkOf(ip)),
    /** Returns the same kind of hash for the address group, a /24 or /48. */
    addressGroupKey: ({ ip }: FastifyRequest): string => keyOfToday("group", toAddressGroup(ip)),
  };
}

export type Visitors = ReturnType<typeof createVisitors>;

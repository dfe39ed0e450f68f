import type { FastifyReply, FastifyRequest } from "fastify";
import { equalBytes, hmacSha256, isUuid, newId } from "../lib/ids.ts";
import { readCookie, writeCookie } from "./cookies.ts";

const cookieName = "visitor";
const oneYearS = 365 * 24 * 3600;

/** Tells visitors apart by a signed, random cookie that only calls which need it set. */
export interface Visitors {
  /** The visitor's id, or null for one without (or with a forged) cookie. */
  find(request: FastifyRequest): string | null;
  /** The visitor's id; makes one and sets the cookie where there is none. */
  ensure(request: FastifyRequest, reply: FastifyReply): string;
  /**
   * A name for the request's address that cannot be turned back into it and changes every day:
   * good for caps, useless for tracking.
   */
  addressKey(request: FastifyRequest): string;
}

export function createVisitors(secret: Buffer): Visitors {
  const sign = (id: string) => hmacSha256(secret, `visitor:${id}`).subarray(0, 16);

  function find(request: FastifyRequest): string | null {
    const value = readCookie(request.headers.cookie, cookieName);
    if (value === null) return null;
    const [id = "", signature = ""] = value.split(".");
    if (!isUuid(id)) return null;
    return equalBytes(Buffer.from(signature, "base64url"), sign(id)) ? id : null;
  }

  return {
    find,
    ensure(request, reply) {
      const known = find(request);
      if (known !== null) return known;
      const id = newId();
      const value = `${id}.${sign(id).toString("base64url")}`;
      const isSecure = request.protocol === "https";
      void reply.header(
        "set-cookie",
        writeCookie(cookieName, value, { maxAgeS: oneYearS, isSecure }),
      );
      return id;
    },
    addressKey(request) {
      const day = Math.floor(Date.now() / 86_400_000);
      return hmacSha256(secret, `address:${day}:${request.ip}`).toString("base64url").slice(0, 16);
    },
  };
}

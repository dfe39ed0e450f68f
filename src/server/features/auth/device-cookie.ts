import type { KeyObject } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, writeCookie } from "#server/http/access/cookies.ts";
import { equalBytes, hmacSha256, isUuid, newToken } from "#server/lib/ids.ts";

/** Browser, and the account it signed in to. */
export interface Device {
  userId: string;
  /** Random. Distinguishes the browsers of one account. */
  key: string;
}

const oneYearS = 365 * 24 * 3600;
const nameOf = (request: FastifyRequest) =>
  request.protocol === "https" ? "__Host-device" : "device";

/**
 * Signed cookie that a browser gets when a user signs in, and retains after signing out. It grants
 * no access, but its account can sign in even if failures from elsewhere are limited.
 */
export function createDeviceCookies(secret: KeyObject) {
  const sign = ({ userId, key }: Device) =>
    hmacSha256(secret, `device:${userId}:${key}`).subarray(0, 16);

  /** Returns the device, or null if the cookie is absent or forged. */
  function find(request: FastifyRequest): Device | null {
    const value = readCookie(request.headers.cookie, nameOf(request));
    const [userId = "", key = "", signature = ""] = (value ?? "").split(".");
    if (!isUuid(userId)) return null;
    const device = { userId, key };
    return equalBytes(Buffer.from(signature, "base64url"), sign(device)) ? device : null;
  }

  return {
    find,
    set(request: FastifyRequest, reply: FastifyReply, userId: string): void {
      const known = find(request);
      const device = known?.userId === userId ? known : { userId, key: newToken() };
      const value = `${userId}.${device.key}.${sign(device).toString("base64url")}`;
      const isSecure = request.protocol === "https";
      const cookie = writeCookie(nameOf(request), value, { maxAgeS: oneYearS, isSecure });
      void reply.header("set-cookie", cookie);
    },
  };
}

export type DeviceCookies = ReturnType<typeof createDeviceCookies>;

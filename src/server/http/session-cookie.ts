import type { User } from "../../contract/auth.ts";
import { readCookie } from "./cookies.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The signed-in user. The session hook of `features/auth` sets it on every request. */
    user: User | null;
  }
}

export const sessionCookie = "session";

/** The session token that a request carries, or null. */
export function readSessionToken(cookieHeader: string | undefined): string | null {
  const token = readCookie(cookieHeader, sessionCookie);
  return token === "" ? null : token;
}

import type { FastifyRequest } from "fastify";

export const formType = "application/x-www-form-urlencoded";

/** Whether a browser without scripts posts a form: it then follows a redirect. */
export const isForm = (request: FastifyRequest): boolean =>
  request.headers["content-type"]?.startsWith(formType) === true;

/** Only paths of this site, so that signing in never leads to another one. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[^\s\\]*$/.test(next) ? next : "/admin";
}

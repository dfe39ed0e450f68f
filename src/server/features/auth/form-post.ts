import type { FastifyRequest } from "fastify";

export const formType = "application/x-www-form-urlencoded";

/** Returns whether a browser without scripts posted a form. Such a browser expects a redirect. */
export const isFormPost = (request: FastifyRequest): boolean =>
  request.headers["content-type"]?.startsWith(formType) === true;

/**
 * Returns the text with LF line breaks. Browsers send form fields with CRLF, which would count as
 * two characters.
 */
export const normalizeLineBreaks = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { errorStatus, type ErrorBody, type ErrorCode } from "#contract/errors.ts";
import { codeOf, hasCode } from "#server/lib/app-error.ts";
import { newToken } from "#server/lib/ids.ts";
import { apiHeaders } from "./access/security-headers.ts";

function errorResponse(code: ErrorCode, message: string, isProgramRequest = true) {
  const body: ErrorBody = { message, code, requestId: newToken(9) };
  const text = isProgramRequest ? JSON.stringify(body) : `${message}\n`;
  const headers: Record<string, string | number> = {
    ...apiHeaders,
    "content-type": isProgramRequest
      ? "application/json; charset=utf-8"
      : "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-request-id": body.requestId,
    connection: "close",
  };
  return { status: errorStatus[code], headers, text };
}

/** Returns an error response as bytes, for a connection without a request. */
export function rawErrorResponse(code: ErrorCode, message: string, retryAfterS?: number): string {
  const { status, headers, text } = errorResponse(code, message);
  if (retryAfterS !== undefined) headers["retry-after"] = retryAfterS;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`;
}

/**
 * Refuses a request because of its headers, before the framework sees it, and closes the
 * connection.
 */
export function refuseHead(response: ServerResponse, code: ErrorCode, message: string): void {
  const { status, headers, text } = errorResponse(code, message);
  response.writeHead(status, headers).end(text);
}

/** Refuses an ambiguous request: with JSON below `/api`, otherwise with plain text. */
export function refuseTarget(
  response: ServerResponse,
  message: string,
  isProgramRequest: boolean,
): void {
  const { status, headers, text } = errorResponse("invalid", message, isProgramRequest);
  response.writeHead(status, headers).end(text);
}

/**
 * Returns what is wrong with a request's headers, or null. HTTP/1.1 requires a Host header (RFC
 * 9112, 3.2). The parser closes the connection after any transfer encoding other than chunked (RFC
 * 9112, 6.1).
 */
export function findHeadFault({ httpVersion, headers }: IncomingMessage): string | null {
  if (httpVersion === "1.1" && headers.host === undefined) return "The Host header is missing.";
  const encoding = headers["transfer-encoding"];
  const isKnown = encoding === undefined || /^chunked$/i.test(encoding);
  return isKnown ? null : "The only supported transfer encoding is chunked.";
}

/** Refuses requests that Node would refuse without a body or by closing the connection. */
export function refuseUnsupported(server: Server): void {
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    refuseHead(response, "expectation_failed", "The only known expectation is 100-continue.");
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    socket.end(rawErrorResponse("invalid", "This server isn't a proxy."));
  });
}

const headEnd = "\r\n\r\n";

function describe(error: Error): { code: ErrorCode; message: string } {
  const code = codeOf(error);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { code: "timeout", message: "The request took too long to arrive." };
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return { code: "headers_too_large", message: "The headers of the request are too large." };
  }
  return { code: "invalid", message: "This is not a valid HTTP request." };
}

const latestResponses = new WeakMap<Duplex, ServerResponse>();
const refused = new WeakSet<Duplex>();

/** Records the latest response of each connection, for `handleClientError`. */
export function noteResponses(server: Server): void {
  const note = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    latestResponses.set(socket, response);
  };
  server.on("request", note);
  server.on("checkExpectation", note);
}

function sendAndClose(error: Error, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const { code, message } = describe(error);
  const text = rawErrorResponse(code, message);
  // The response to a HEAD must have no body, because the client would read it as the next
  // response.
  const isHead = "rawPacket" in error && String(error.rawPacket).startsWith("HEAD ");
  const end = isHead ? text.indexOf(headEnd) + headEnd.length : text.length;
  socket.end(text.slice(0, end), () => socket.destroy());
}

/**
 * Responds to requests that the HTTP parser rejects, and closes the connection. Each request gets
 * one response, in the order of the requests.
 */
export function handleClientError(error: Error, socket: Duplex): void {
  // A disconnected client receives nothing.
  if (socket.destroyed || hasCode(error, "ECONNRESET")) return;
  // The parser reports its error again for all later data.
  if (refused.has(socket)) return;
  refused.add(socket);
  const latest = latestResponses.get(socket);
  if (latest === undefined || latest.writableFinished) return sendAndClose(error, socket);
  // The error is in the next request, so its response waits for the current one.
  if (latest.req.complete) return void latest.once("close", () => sendAndClose(error, socket));
  // The error is in this request's body. Without a socket, the response waits for an earlier one.
  const waitsForEarlier = latest.socket === null;
  if (!latest.headersSent && !waitsForEarlier) return sendAndClose(error, socket);
  latest.once("close", () => socket.end(() => socket.destroy()));
}

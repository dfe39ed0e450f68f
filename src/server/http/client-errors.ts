import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { errorStatus, type ErrorBody, type ErrorCode } from "../../contract/errors.ts";
import { newToken } from "../lib/ids.ts";
import { baseHeaders } from "./access/security-headers.ts";

/** An error response for a connection on which there is no request, as bytes. */
export function rawErrorResponse(code: ErrorCode, message: string, retryAfterS?: number): string {
  const status = errorStatus[code];
  const body: ErrorBody = { message, code, requestId: newToken(9) };
  const text = JSON.stringify(body);
  const headers = {
    ...baseHeaders,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-request-id": body.requestId,
    connection: "close",
    ...(retryAfterS === undefined ? {} : { "retry-after": retryAfterS }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`;
}

function describe(error: Error): { code: ErrorCode; message: string } {
  const code = "code" in error ? error.code : undefined;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { code: "timeout", message: "The request took too long to arrive." };
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return { code: "headers_too_large", message: "The headers of the request are too large." };
  }
  return { code: "invalid", message: "This is not a valid HTTP request." };
}

/** Responds to what the HTTP parser refuses, and closes the connection. */
export function handleClientError(error: Error, socket: Duplex): void {
  // A client that has gone receives nothing.
  if (socket.destroyed || ("code" in error && error.code === "ECONNRESET")) return;
  const { code, message } = describe(error);
  if (socket.writable) socket.end(rawErrorResponse(code, message), () => socket.destroy());
  else socket.destroy();
}

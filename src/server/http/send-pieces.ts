import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { forbidCaching } from "./access/policy.ts";

/** Part of a body selected by a `Range` header (RFC 9110, 14.2). Both ends are included. */
type RequestedRange =
  | { kind: "whole" }
  | { kind: "part"; start: number; end: number }
  | { kind: "unsatisfiable" };

/**
 * Parses a `Range` header. Several ranges, other units and malformed headers select the whole body,
 * as the standard allows.
 */
export function readRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const match = header === undefined ? null : /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (match === null) return { kind: "whole" };
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return { kind: "whole" };
  if (first === "") {
    const suffix = Number(last);
    if (suffix === 0 || sizeBytes === 0) return { kind: "unsatisfiable" };
    return { kind: "part", start: Math.max(0, sizeBytes - suffix), end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return { kind: "whole" };
  if (start >= sizeBytes) return { kind: "unsatisfiable" };
  return { kind: "part", start, end };
}

/**
 * Sends a body piece by piece. Requests the next piece once the system has taken the last one, so
 * that only one piece per slow client is in memory. The headers are sent with the first piece.
 * @param mayGoOn called with the length of each piece before it is sent. If it returns false, the
 * connection is closed instead.
 * @throws the error of the first piece. A later failure breaks the connection.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array>,
  mayGoOn: (bytes: number) => boolean = () => true,
): Promise<void> {
  const response = reply.raw;
  try {
    for await (const piece of pieces) {
      if (!reply.sent) {
        forbidCaching(reply);
        reply.hijack();
        for (const [name, value = ""] of Object.entries(reply.getHeaders())) {
          response.setHeader(name, value);
        }
      }
      if (!mayGoOn(piece.length)) return void response.destroy();
      if (!(await isTaken(response, piece))) return;
    }
    response.end();
  } catch (error) {
    if (!reply.sent) throw error;
    reply.log.error({ err: error }, "a response was cut short");
    response.destroy();
  }
}

/** Returns whether the system accepted the bytes; false if the client disconnected. */
function isTaken(response: ServerResponse, piece: Uint8Array): Promise<boolean> {
  const { socket } = response.req;
  if (socket.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    // A response that waits for an earlier one on its connection isn't told when the connection
    // ends.
    const onClose = () => resolve(false);
    socket.once("close", onClose);
    response.write(piece, (error) => {
      socket.off("close", onClose);
      resolve(error === undefined || error === null);
    });
  });
}

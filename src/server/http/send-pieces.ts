import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { forbidCaching } from "./access/policy.ts";

/**
 * Sends a body piece by piece. Requests the next piece once the system has taken the last one, so
 * that only one piece per slow client is in memory. The headers are sent with the first piece.
 * @throws the error of the first piece. A later failure breaks the connection.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array>,
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

import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

/**
 * Sends a body piece by piece. It asks for the next piece when the system has taken the last one, so that
 * a slow client holds one. The head leaves together with the first piece.
 * @throws what the first piece throws. A later failure breaks the connection off.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const response = reply.raw;
  try {
    for await (const piece of pieces) {
      if (!reply.sent) {
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
    reply.log.error({ err: error }, "a response ended early");
    response.destroy();
  }
}

/** Whether the system took the bytes; not if the client is gone. */
function isTaken(response: ServerResponse, piece: Uint8Array): Promise<boolean> {
  const { socket } = response.req;
  if (socket.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    // A response that waits for an earlier one on its connection learns nothing of the end.
    const onClose = () => resolve(false);
    socket.once("close", onClose);
    response.write(piece, (error) => {
      socket.off("close", onClose);
      resolve(error === undefined || error === null);
    });
  });
}

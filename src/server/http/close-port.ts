import { once } from "node:events";
import type { Server } from "node:http";
import { setImmediate as afterNextPoll } from "node:timers/promises";

/** Maximum time for which new connections may keep the port open. */
const maxWaitMs = 1000;
/** Maximum duration of an idle turn. A connection may have arrived during a longer one. */
const shortTurnMs = 0.5;

/**
 * Closes the port while no connection is waiting to be accepted. Otherwise the system resets the
 * waiting connections after their clients have sent a request. A proxy then responds with 502 to a
 * POST, because it must not repeat it. Once the port is closed, connections are refused before
 * anything is sent.
 *
 * Node accepts at most one connection per turn of its event loop, so after a short turn without a
 * connection, none is waiting.
 * @returns a promise that resolves when the port is closed, with another that resolves when all
 * connections have ended.
 */
export async function closePort(server: Server): Promise<{ ended: Promise<unknown> }> {
  if (!server.listening) return { ended: Promise.resolve() };
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on("connection", count);
  const endsAt = performance.now() + maxWaitMs;
  // From here on, each iteration takes a whole turn, which polls the port once.
  await afterNextPoll();
  for (let isQuiet = false; !isQuiet && performance.now() < endsAt;) {
    const [acceptedBefore, startedAt] = [accepted, performance.now()];
    await afterNextPoll();
    isQuiet = accepted === acceptedBefore && performance.now() - startedAt < shortTurnMs;
  }
  server.off("connection", count);
  const ended = once(server, "close");
  server.close();
  return { ended };
}

import { once } from "node:events";
import type { Server } from "node:http";
import { setImmediate as afterNextPoll } from "node:timers/promises";

/** How long new connections may keep the port open. */
const maxWaitMs = 1000;
/** After a longer turn, a connection may have come while the turn did other work. */
const shortTurnMs = 0.5;

/**
 * Closes the port in a moment when no connection waits to be accepted. The system resets those that
 * wait, after their clients have sent a request: a proxy then responds 502 to a POST, which it must not
 * send again. Once the port is closed, connections are refused before anything is sent.
 *
 * Node accepts at most one connection in each turn of its event loop, so none waits after a turn without
 * one, if that turn was short.
 * @returns a promise that resolves when the port is closed, with another that resolves when all
 *   connections have ended.
 */
export async function closePort(server: Server): Promise<{ ended: Promise<unknown> }> {
  if (!server.listening) return { ended: Promise.resolve() };
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on("connection", count);
  const endsAt = performance.now() + maxWaitMs;
  // From here, a whole turn passes between two of these, and with it one look at the port.
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

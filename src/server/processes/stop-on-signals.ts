import cluster from "node:cluster";
import type { Logger } from "#server/lib/logger.ts";
import type { Say } from "./say.ts";

/**
 * The process ends after this time even if something keeps it alive. No acknowledged data depends
 * on it.
 */
const hardStopMs = 4800;
/** Shorter in a child, so that the primary process can stop the database after it. */
const childHardStopMs = 4200;

/**
 * Stops the process after SIGINT, SIGTERM or the end of the process that started it.
 * @param options.stop stops everything else.
 * @param options.drainS additional time in seconds.
 * @returns a signal that fires when the process starts to stop.
 */
export function stopOnSignals(options: {
  logger: Logger;
  stop: () => Promise<void>;
  drainS: number;
  say: Say;
}): AbortSignal {
  const { logger, stop, drainS, say } = options;
  const stopping = new AbortController();
  const begin = (reason: string) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    if (cluster.isPrimary) say(`Stopping (${reason}) ...`);
    setTimeout(
      () => {
        logger.warn("didn't stop in time, exiting now");
        process.exit(1);
      },
      drainS * 1000 + (cluster.isPrimary ? hardStopMs : childHardStopMs),
    ).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  };
  // Ctrl-C reaches all processes of a terminal. Children wait for the primary process.
  process.on("SIGINT", () => {
    if (cluster.isPrimary) begin("SIGINT");
  });
  process.on("SIGTERM", () => begin("SIGTERM"));
  // The launcher holds the other end of the channel. If the launcher dies, no signal would reach
  // this process. A child of the primary process ends by itself once its channel closes.
  if (process.channel !== undefined) process.on("disconnect", () => begin("launcher ended"));
  return stopping.signal;
}

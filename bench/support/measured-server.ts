import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { startServer } from "#server/start-server.ts";

/**
 * Server with a histogram of the event loop's delay. On SIGUSR2 it writes the largest delay since
 * the last signal, in ms, to LOOP_DELAY_FILE, and `process.memoryUsage()` to MEMORY_FILE, if set.
 */
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on("SIGUSR2", () => {
  writeFileSync(process.env["MEMORY_FILE"] ?? "/dev/null", JSON.stringify(process.memoryUsage()));
  writeFileSync(process.env["LOOP_DELAY_FILE"] ?? "/dev/null", String(delays.max / 1e6));
  delays.reset();
});

await startServer();

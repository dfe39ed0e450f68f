import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { startServer } from "#server/start-server.ts";

/**
 * The server with a histogram of the event loop's delay. After SIGUSR2 the largest delay since the
 * last signal, in ms, is in the file that LOOP_DELAY_FILE names, and what process.memoryUsage() says
 * in that of MEMORY_FILE, if one is named.
 */
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on("SIGUSR2", () => {
  writeFileSync(process.env["MEMORY_FILE"] ?? "/dev/null", JSON.stringify(process.memoryUsage()));
  writeFileSync(process.env["LOOP_DELAY_FILE"] ?? "/dev/null", String(delays.max / 1e6));
  delays.reset();
});

await startServer();

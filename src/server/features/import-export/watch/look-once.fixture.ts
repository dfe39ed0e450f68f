import { createContext } from "#server/context.ts";
import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/lib/logger.ts";

/** Looks into the watched folder until nothing is left, as a worker does. Tests kill it. */
const context = await createContext({
  config: readConfig({ ...process.env, ROLE: "web", WEB_PROCESSES: "1" }),
  logger: createLogger("error"),
});
const { signal } = new AbortController();
process.stdout.write("started\n");
for (;;) {
  const hasMore = await context.watchedFolder.look(signal);
  const { waiting } = await context.watchedFolder.getState();
  if (!hasMore && waiting === 0) break;
}
await context.stop(1000);

import type { Config } from "#server/config.ts";
import { createHttpCore, type HttpCore } from "#server/http/app.ts";
import { createLogger } from "#server/lib/logger.ts";

/** Creates the HTTP layer without features. By default, it caches nothing and logs nothing. */
export function createTestCore({
  logger = createLogger("silent"),
  bodyTimes,
  ...config
}: Partial<Pick<Config, "trustProxy" | "responseCache" | "cdnMaxAgeS">> & {
  logger?: Parameters<typeof createHttpCore>[1];
  bodyTimes?: Parameters<typeof createHttpCore>[3];
} = {}): HttpCore {
  return createHttpCore(
    {
      trustProxy: [],
      responseCache: false,
      cdnMaxAgeS: 0,
      cdnPurgeUrl: null,
      webProcesses: 1,
      geoHeader: null,
      ...config,
    },
    logger,
    { stateOf: () => "none" },
    bodyTimes,
  );
}

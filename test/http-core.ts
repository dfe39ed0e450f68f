import { createSecretKey } from "node:crypto";
import { readConfig, type Config } from "#server/config.ts";
import { createSessionCookies } from "#server/http/access/session-cookie.ts";
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
      ...readConfig({ WEB_PROCESSES: "1", RESPONSE_CACHE: "0" }),
      ...config,
    },
    logger,
    createSessionCookies(createSecretKey(Buffer.from("secret"))),
    bodyTimes,
  );
}

import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { TranscriptsService } from "#server/features/captions/transcripts.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { Feature } from "#server/http/app.ts";
import { defineJob } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Mailer } from "#server/lib/mailer.ts";
import { createSecretBox } from "#server/lib/secret-box.ts";
import type { KeyObject } from "node:crypto";
import { createMembership } from "./membership.ts";
import { createPassesService, noteExpired, sealCodes } from "./passes.service.ts";
import { registerMemberRoutes, registerPassRoutes } from "./passes.routes.ts";

/** Passes with which members play premium videos, if the owner keeps those for members. */
export function createPassesFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  config: Config;
  secret: KeyObject;
  mailer: Mailer;
  settings: SettingsService;
  videos: VideosService;
  transcripts: TranscriptsService;
  sendSoon: () => void;
}) {
  const { secretsKey, formerSecretsKey } = deps.config;
  const box = createSecretBox(deps.secret, [secretsKey, formerSecretsKey, null]);
  const passes = createPassesService({ ...deps, box });
  const membership = createMembership(deps);
  return {
    membership,
    passes,
    async start() {
      const lost = await sealCodes({ ...deps, box });
      if (lost === 0) return;
      deps.logger.warn(
        { count: lost },
        "can't show the links of passes: SECRETS_KEY isn't the key they were created with",
      );
    },
    jobs: [
      defineJob({
        name: "passes.end",
        payload: z.object({}),
        concurrency: 1,
        schedule: { cron: "* * * * *" },
        run: () => noteExpired(deps),
      }),
    ],
    registerRoutes(app) {
      registerPassRoutes(app, { passes });
      registerMemberRoutes(app, { ...deps, membership });
    },
  } satisfies Feature & { membership: unknown; passes: unknown };
}

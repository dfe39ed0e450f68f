import type { Config } from "#server/config.ts";
import { createChangeEvents } from "#server/db/change-events.ts";
import { UsageError } from "#server/lib/command-line.mjs";
import { createLogger } from "#server/lib/logger.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { migrateStorage } from "#server/storage-migration/migrate-storage.ts";
import {
  adoptStorage,
  commandPausesMs,
  explainStorageError,
  openStorages,
} from "#server/open-storage.ts";
import { checkEndpoint } from "#server/storage/s3/check-endpoint.ts";
import { say } from "#server/processes/say.ts";
import { commandLine, withDatabase, type Command } from "./command.ts";

const names = { disk: "DATA_DIR", s3: "the bucket" };
type Kind = keyof typeof names;
const isKind = (text: string | undefined): text is Kind => text === "disk" || text === "s3";

const options = { isMigrated: false, maxConnections: 4 };
const sayEveryMs = 5000;

export const storageAdopt: Command = {
  name: "npm run admin -- storage adopt",
  summary: "Makes the configured storage the one that belongs to this site.",
  examples: ["npm run admin -- storage adopt"],
  run: adopt,
};

export const storageMove: Command = {
  name: "npm run admin -- storage move",
  summary: "Copies and verifies all media files in the other storage, then uses that one.",
  options: { to: { value: "s3|disk", required: true, help: "the storage to use" } },
  examples: ["npm run admin -- storage move --to s3", "npm run admin -- storage move --to disk"],
  async run(config, { values: { to } }) {
    if (!isKind(to)) throw new UsageError("--to: use s3 or disk.");
    await move(config, to);
  },
};

async function adopt(config: Config): Promise<void> {
  const kind = await withDatabase(config, options, ({ db }) => adoptStorage(config, db));
  say(`The media files of this site are in ${names[kind]}.`);
}

async function move(config: Config, to: Kind): Promise<void> {
  if (config.s3 !== null) await checkEndpoint(config.s3.endpoint);
  const done = await withDatabase(config, options, async ({ db, pool }) => {
    const events = createChangeEvents(pool, createLogger("error"), null);
    let lastPrintedAt = Date.now();
    try {
      const report = await migrateStorage({
        db,
        to,
        storages: await openStorages(config, commandPausesMs),
        publish: () => events.publish(["storage"]),
        onFile({ files, sizeBytes }) {
          if (Date.now() - lastPrintedAt < sayEveryMs) return;
          lastPrintedAt = Date.now();
          say(`${files} files, ${Math.round(sizeBytes / 1e6)} MB`);
        },
      }).catch(async (error: unknown) => {
        throw await explainStorageError(config, error);
      });
      const about = { action: "storage.moved", entity: "storage", entityId: null };
      await recordAudit(db, commandLine, { ...about, after: { to, ...report } });
      return report;
    } finally {
      events.stop();
    }
  });
  say(`Copied and verified ${done.files} files (${Math.ceil(done.sizeBytes / 1e6)} MB).`);
  say(
    `The media files of this site are now in ${names[to]}. The old files are still there. Delete them when you no longer need them.`,
  );
}

import type { BlockedFile } from "#contract/visitors/reports.ts";
import type { Db } from "#server/db/connection.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import * as repository from "./blocked-files.repository.ts";

/** Source files that moderators have blocked, told by their bytes. */
export interface BlockedFilesService {
  list(): Promise<BlockedFile[]>;
  /** Allows the file again. @throws AppError not_found. */
  allow(sha256: string, actor: Actor): Promise<void>;
  /** @throws AppError unusable_video if the file with this hash is blocked. */
  refuse(sha256: Buffer): Promise<void>;
}

export function createBlockedFilesService({ db }: { db: Db }): BlockedFilesService {
  return {
    async list() {
      const rows = await repository.listBlockedFiles(db);
      return rows.map((row) => ({
        ...row,
        sha256: row.sha256.toString("hex"),
        createdAt: row.createdAt.toISOString(),
      }));
    },

    async allow(sha256, actor) {
      await db.transaction().execute(async (trx) => {
        const title = await repository.deleteBlockedFile(trx, Buffer.from(sha256, "hex"));
        if (title === null) throw new AppError("not_found", "This file isn't blocked.");
        await recordAudit(trx, actor, {
          action: "file.allowed",
          entity: "file",
          entityId: sha256,
          before: { title },
        });
      });
    },

    async refuse(sha256) {
      if (!(await repository.isBlocked(db, sha256))) return;
      throw new AppError(
        "unusable_video",
        "A moderator removed this file from the site. It can't be uploaded again.",
      );
    },
  };
}

import type { PrivateLink, PrivateLinkBody } from "#contract/videos/admin-videos.ts";
import { video as videoSchema, type Video } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { requireVideo } from "#server/http/access/video-gate.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { newToken } from "#server/lib/ids.ts";
import { privateMediaUrl, videoFolder } from "#server/storage/media-keys.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { hydrateVideos } from "../query/video-list.repository.ts";
import { presentVideo } from "../query/videos.presenter.ts";
import { getVideoRow, lockExistingVideo, type VideoRow } from "../videos.repository.ts";
import * as repository from "./private-links.repository.ts";

const present = (row: Pick<VideoRow, "link_secret" | "link_expires_at">): PrivateLink => ({
  path: row.link_secret === null ? null : `/private/${row.link_secret}`,
  expiresAt: row.link_expires_at?.toISOString() ?? null,
});

/** Secret addresses of private videos. */
export function createPrivateLinksService(deps: { db: Db; clock: Clock; changed: PublishChanges }) {
  const { db, clock, changed } = deps;

  async function findLinked(secret: string) {
    const found = await repository.findLinkedVideo(db, secret, clock.date());
    if (found !== null) requireVideo(found.id);
    return found;
  }

  async function change(
    idOrSlug: string,
    actor: Actor,
    link: { secret: string; expiresAt: Date | null } | null,
  ): Promise<void> {
    const found = await getVideoRow(db, idOrSlug);
    await db.transaction().execute(async (trx) => {
      const row = await lockExistingVideo(trx, found.id);
      await repository.saveLink(trx, row.id, link);
      await recordAudit(trx, actor, {
        action: link === null ? "video.link-removed" : "video.link-created",
        entity: "video",
        entityId: row.id,
        before: { title: row.title },
        ...(link === null ? {} : { after: { expiresAt: link.expiresAt?.toISOString() ?? null } }),
      });
    });
    await changed([videoTag(found.id)]);
  }

  return {
    /**
     * Returns the video as people with the address see it.
     * @throws AppError not_found, also if the address has expired.
     */
    async get(secret: string): Promise<Video> {
      const found = await findLinked(secret);
      const [hydrated] = found === null ? [] : await hydrateVideos(db, [found.id]);
      if (found === null || hydrated === undefined) {
        throw new AppError("not_found", "Video not found");
      }
      // The link opens the video without a pass.
      const text = JSON.stringify(presentVideo(hydrated, { isAdmin: false, isMember: true }));
      // People who have the address may also fetch the files as long as it is valid.
      const own = text.replaceAll(
        `/media/${videoFolder(found.mediaToken)}`,
        privateMediaUrl(secret),
      );
      return videoSchema.parse(JSON.parse(own));
    },

    /** Returns the video's id and the folder of its files, or null. */
    async findFolder(secret: string): Promise<{ folder: string; videoId: string } | null> {
      const found = await findLinked(secret);
      return found === null ? null : { folder: videoFolder(found.mediaToken), videoId: found.id };
    },

    /** @throws AppError not_found. */
    read: async (idOrSlug: string): Promise<PrivateLink> =>
      present(await getVideoRow(db, idOrSlug)),

    /**
     * Creates a new address and invalidates the previous one.
     * @throws AppError not_found; invalid if the expiry is in the past.
     */
    async renew(
      idOrSlug: string,
      { expiresAt }: PrivateLinkBody,
      actor: Actor,
    ): Promise<PrivateLink> {
      const at = expiresAt === null ? null : new Date(expiresAt);
      if (at !== null && at <= clock.date()) {
        const message = "Choose a time in the future.";
        throw new AppError("invalid", message, { issues: [{ path: "expiresAt", message }] });
      }
      const secret = newToken();
      await change(idOrSlug, actor, { secret, expiresAt: at });
      return present({ link_secret: secret, link_expires_at: at });
    },

    remove: (idOrSlug: string, actor: Actor): Promise<void> => change(idOrSlug, actor, null),
  };
}

export type PrivateLinksService = ReturnType<typeof createPrivateLinksService>;

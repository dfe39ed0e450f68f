import type { LabelItem, LabelKind } from "#contract/lists/labels.ts";
import { labelTag } from "#server/db/change-tags.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { findRedirect } from "#server/db/slug-redirects.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid } from "#server/lib/ids.ts";
import { mediaUrl } from "#server/storage/media-keys.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { labelWords } from "./label-kinds.ts";
import * as repository from "./labels.repository.ts";

export const presentLabel = (row: repository.LabelRow): LabelItem => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  imageUrl: mediaUrl(row.imageKey),
  coverUrl: mediaUrl(row.coverKey),
  videoCount: row.videoCount,
  createdAt: row.createdAt.toISOString(),
});

/**
 * Finds a label by id, slug or name, and follows redirects of merged labels. Only admins can see
 * labels without a listed video.
 * @throws AppError not_found.
 */
export async function getLabelRow(
  from: DbOrTrx,
  kind: LabelKind,
  idOrSlug: string,
  isAdmin: boolean,
): Promise<repository.LabelRow> {
  const isVisible = (row: repository.LabelRow) => isAdmin || row.videoCount > 0;
  const key = isUuid(idOrSlug) ? { id: idOrSlug } : { slugOrName: idOrSlug };
  const row = await repository.findLabel(from, kind, key, isAdmin);
  if (row !== null) noteShown(labelTag(kind, row.id));
  if (row !== null && isVisible(row)) return row;
  const target = await findRedirect(from, kind, idOrSlug.toLowerCase());
  const moved =
    target === null ? null : await repository.findLabel(from, kind, { id: target }, isAdmin);
  if (moved === null || !isVisible(moved)) {
    throw new AppError("not_found", `${labelWords[kind].word} not found`);
  }
  noteShown(labelTag(kind, moved.id));
  return moved;
}

/** Adds an entry to the audit log. */
export async function recordLabelChange(
  trx: Trx,
  actor: Actor,
  kind: LabelKind,
  verb: "created" | "updated" | "deleted" | "merged",
  items: { before?: LabelItem; after?: LabelItem },
): Promise<void> {
  const { entity } = labelWords[kind];
  const entityId = (items.after ?? items.before)?.id ?? null;
  await recordAudit(trx, actor, { action: `${entity}.${verb}`, entity, entityId, ...items });
}

import type { VideoEmbedding } from "#contract/site/embedding.ts";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { Trx } from "#server/db/connection.ts";
import { recordAudits, type Actor } from "#server/features/audit/audit.service.ts";
import { addLabels, removeLabels, setVideoColumn, type ChangedVideo } from "./videos.repository.ts";

// Bulk edits. Each function skips videos that need no change, writes an audit entry for each of the
// others, and returns how many it changed.

async function recordUpdates(
  trx: Trx,
  actor: Actor,
  changed: readonly ChangedVideo[],
  { before, after }: { before: object; after: object },
): Promise<number> {
  await recordAudits(
    trx,
    actor,
    changed.map(({ id, title }) => ({
      action: "video.updated",
      entity: "video",
      entityId: id,
      before: { title, ...before },
      after,
    })),
  );
  return changed.length;
}

export async function setPremiumOfVideos(
  trx: Trx,
  ids: string[],
  { isPremium, actor }: { isPremium: boolean; actor: Actor },
): Promise<number> {
  const changed = await setVideoColumn(trx, ids, "is_premium", isPremium);
  return recordUpdates(trx, actor, changed, {
    before: { isPremium: !isPremium },
    after: { isPremium },
  });
}

export async function setEmbeddingOfVideos(
  trx: Trx,
  ids: string[],
  { embedding, actor }: { embedding: VideoEmbedding; actor: Actor },
): Promise<number> {
  const changed = await setVideoColumn(trx, ids, "embedding", embedding);
  return recordUpdates(trx, actor, changed, { before: {}, after: { embedding } });
}

/** Labels of one kind: their ids, and their names for the audit log. */
export interface LabelSet {
  kind: LabelKind;
  ids: string[];
  names: string[];
}

export async function addLabelsToVideos(
  trx: Trx,
  ids: string[],
  { labels, actor }: { labels: LabelSet; actor: Actor },
): Promise<number> {
  const changed = await addLabels(trx, labels.kind, ids, labels.ids);
  const after = { added: { [labels.kind]: labels.names } };
  return recordUpdates(trx, actor, changed, { before: {}, after });
}

export async function removeLabelsFromVideos(
  trx: Trx,
  ids: string[],
  { labels, actor }: { labels: LabelSet; actor: Actor },
): Promise<number> {
  const changed = await removeLabels(trx, labels.kind, ids, labels.ids);
  const after = { removed: { [labels.kind]: labels.names } };
  return recordUpdates(trx, actor, changed, { before: {}, after });
}

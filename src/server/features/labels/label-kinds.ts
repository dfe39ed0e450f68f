import type { LabelKind } from "#contract/lists/labels.ts";

/** Name of each kind of label in messages and in the audit log. */
export const labelWords = {
  categories: { entity: "category", word: "Category" },
  tags: { entity: "tag", word: "Tag" },
  actors: { entity: "actor", word: "Actor" },
} as const satisfies Record<LabelKind, { entity: string; word: string }>;

/** Join table and label column of each kind of label. */
export const labelTables = {
  categories: { join: "video_categories", column: "category_id" },
  tags: { join: "video_tags", column: "tag_id" },
  actors: { join: "video_actors", column: "actor_id" },
} as const satisfies Record<LabelKind, { join: string; column: string }>;

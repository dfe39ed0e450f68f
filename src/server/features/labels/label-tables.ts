import type { LabelKind } from "#contract/lists/labels.ts";

/** For each kind of label the table that says which videos have it, and its column with the label. */
export const labelTables = {
  categories: { join: "video_categories", column: "category_id" },
  tags: { join: "video_tags", column: "tag_id" },
  actors: { join: "video_actors", column: "actor_id" },
} as const satisfies Record<LabelKind, { join: string; column: string }>;

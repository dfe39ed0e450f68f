import type { TaxonomyKind } from "#contract/taxonomy.ts";

/** For each kind of label the table that says which videos have it, and its column with the label. */
export const labelTables = {
  categories: { join: "video_categories", column: "category_id" },
  tags: { join: "video_tags", column: "tag_id" },
  actors: { join: "video_actors", column: "actor_id" },
} as const satisfies Record<TaxonomyKind, { join: string; column: string }>;

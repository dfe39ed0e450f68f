import type { TaxonomyKind } from "../../../contract/taxonomy.ts";

/** How each kind of label is called: in tables, in words, and as an entity of the audit log. */
export const taxonomyTables = {
  categories: {
    join: "video_categories",
    column: "category_id",
    entity: "category",
    word: "Category",
  },
  tags: { join: "video_tags", column: "tag_id", entity: "tag", word: "Tag" },
  actors: { join: "video_actors", column: "actor_id", entity: "actor", word: "Actor" },
} as const satisfies Record<TaxonomyKind, unknown>;

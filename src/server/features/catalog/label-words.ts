import type { TaxonomyKind } from "#contract/taxonomy.ts";

/** The name of each kind of label: in messages, and as an entity of the audit log. */
export const labelWords = {
  categories: { entity: "category", word: "Category" },
  tags: { entity: "tag", word: "Tag" },
  actors: { entity: "actor", word: "Actor" },
} as const satisfies Record<TaxonomyKind, { entity: string; word: string }>;

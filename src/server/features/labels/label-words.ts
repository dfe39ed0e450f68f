import type { LabelKind } from "#contract/lists/labels.ts";

/** The name of each kind of label: in messages, and as an entity of the audit log. */
export const labelWords = {
  categories: { entity: "category", word: "Category" },
  tags: { entity: "tag", word: "Tag" },
  actors: { entity: "actor", word: "Actor" },
} as const satisfies Record<LabelKind, { entity: string; word: string }>;

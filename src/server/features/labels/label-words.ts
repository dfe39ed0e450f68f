import type { LabelKind } from "#contract/lists/labels.ts";

/** Name of each kind of label in messages and in the audit log. */
export const labelWords = {
  categories: { entity: "category", word: "Category" },
  tags: { entity: "tag", word: "Tag" },
  actors: { entity: "actor", word: "Actor" },
} as const satisfies Record<LabelKind, { entity: string; word: string }>;

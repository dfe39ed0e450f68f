import type { LabelKind } from "#contract/lists/labels.ts";

/** Label whose videos are a row of the home page. */
export interface PinnedLabel {
  kind: LabelKind;
  id: string;
}

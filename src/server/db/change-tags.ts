import { z } from "zod";
import type { LabelKind } from "#contract/lists/labels.ts";

/**
 * Subjects of a change:
 * - `video:ID`: any visible property of this video.
 * - `videos`: the set of listed videos, or their search words.
 * - `category:ID`, `tag:ID`, `actor:ID`: the label itself, or the set of its listed videos.
 * - `labels`: the set of labels, or a property shown in lists of labels.
 * - `settings`, `ads`.
 * - `storage`: the location of the media.
 * - `addresses`: the old addresses of imported videos.
 */
const changeTag = z.union([
  z.enum(["videos", "labels", "settings", "ads", "storage", "addresses"]),
  z.templateLiteral([z.enum(["video", "category", "tag", "actor"]), ":", z.string()]),
]);
export type ChangeTag = z.infer<typeof changeTag>;

/** Tags of a change, or `everything` if there are too many or they are unknown. */
export type Changes = ReadonlySet<ChangeTag> | "everything";

type ChangeList = Changes | readonly ChangeTag[];

/** Reports changes of public data. */
export type PublishChanges = (tags: ChangeList) => Promise<void>;

export const videoTag = (id: string): ChangeTag => `video:${id}`;

const labelPrefix = { categories: "category", tags: "tag", actors: "actor" } as const;
export const labelTag = (kind: LabelKind, id: string): ChangeTag => `${labelPrefix[kind]}:${id}`;

export const concerns = (changes: Changes, tag: ChangeTag): boolean =>
  changes === "everything" || changes.has(tag);

/**
 * Maximum number of tags. A notification holds less than 8,000 bytes. 150 tags with ids take 7,000.
 */
const maxTags = 150;

export function changesOf(tags: ChangeList): Changes {
  if (tags === "everything") return tags;
  const set = new Set(tags);
  return set.size > maxTags ? "everything" : set;
}

/** Change event sent between processes. */
const message = z.object({
  /** Sending process. */
  from: z.string(),
  version: z.number(),
  /** Null for `everything`. */
  tags: z.array(changeTag).nullable(),
});
export type ChangeMessage = z.infer<typeof message>;

/** Parses a message. Returns null for other texts, for example from another version. */
export function parseChangeMessage(text: string): ChangeMessage | null {
  try {
    return message.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

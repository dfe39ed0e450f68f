import { z } from "zod";
import type { LabelKind } from "#contract/lists/labels.ts";

/**
 * What a change concerns:
 *
 * - `video:ID`: anything of this video.
 * - `videos`: which videos are listed, or the words by which one is found.
 * - `category:ID`, `tag:ID`, `actor:ID`: the label itself, or which listed videos have it.
 * - `labels`: which labels exist, and what lists of labels show of them.
 * - `settings`, `ads`.
 * - `storage`: where the media are.
 */
const changeTag = z.union([
  z.enum(["videos", "labels", "settings", "ads", "storage"]),
  z.templateLiteral([z.enum(["video", "category", "tag", "actor"]), ":", z.string()]),
]);
export type ChangeTag = z.infer<typeof changeTag>;

/** The tags of a change. `everything` where they are too many, or not known. */
export type Changes = ReadonlySet<ChangeTag> | "everything";

type ChangeList = Changes | readonly ChangeTag[];

/** Reports what has changed of what visitors see. */
export type PublishChanges = (tags: ChangeList) => Promise<void>;

export const videoTag = (id: string): ChangeTag => `video:${id}`;

const labelPrefix = { categories: "category", tags: "tag", actors: "actor" } as const;
export const labelTag = (kind: LabelKind, id: string): ChangeTag => `${labelPrefix[kind]}:${id}`;

export const concerns = (changes: Changes, tag: ChangeTag): boolean =>
  changes === "everything" || changes.has(tag);

/** A notification holds less than 8,000 bytes: 150 tags with ids have 7,000. */
const maxTags = 150;

export function changesOf(tags: ChangeList): Changes {
  if (tags === "everything") return tags;
  const set = new Set(tags);
  return set.size > maxTags ? "everything" : set;
}

/** A change event on its way between processes. */
const message = z.object({
  /** The process that sends it. */
  from: z.string(),
  version: z.number(),
  /** Null for `everything`. */
  tags: z.array(changeTag).nullable(),
});
export type ChangeMessage = z.infer<typeof message>;

/** Null where the text is none, for example that of another version of the program. */
export function parseChangeMessage(text: string): ChangeMessage | null {
  try {
    return message.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

import { z } from "zod";
import { optionalNameText } from "../lists/names.input.ts";
import { hasVisibleText, withoutTricks } from "../text.ts";

/** `off`: no comments. `held`: each waits for a moderator. `open`: only filtered ones wait. */
export const commentModes = ["off", "held", "open"] as const;
export type CommentMode = (typeof commentModes)[number];

export const commentTextMax = 2000;
export const commentNameMax = 60;

export const commentBody = z.object({
  /** Empty if the visitor gives no name. */
  name: optionalNameText(commentNameMax, `At most ${commentNameMax} characters`).default(""),
  text: z
    .string()
    .overwrite(withoutTricks)
    .trim()
    .max(commentTextMax, `At most ${commentTextMax} characters`)
    .refine(hasVisibleText, "Write a comment"),
});
export type CommentBody = z.infer<typeof commentBody>;

const comment = z.object({
  id: z.uuid(),
  /** Null without a name. */
  name: z.string().nullable(),
  /** Plain text. */
  text: z.string(),
  createdAt: z.iso.datetime(),
});
export type Comment = z.infer<typeof comment>;

/** Comments, newest first. */
export const commentList = z.object({
  comments: z.array(comment),
  nextCursor: z.string().nullable(),
});
export type CommentList = z.infer<typeof commentList>;

/** Id of the last comment of the previous page. */
export const commentQuery = z.object({ cursor: z.uuid("isn't valid for this list").optional() });

/** `comment` is null while it waits for a moderator. */
export const sentComment = z.object({ comment: comment.nullable() });
export type SentComment = z.infer<typeof sentComment>;

/** Words in the settings that make a comment wait for a moderator. */
export const commentWords = z
  .array(
    z
      .string()
      .trim()
      .max(100, "At most 100 characters per word")
      .refine(hasVisibleText, "Remove lines that have only invisible characters"),
  )
  .max(500, "At most 500 words");
export const commentLinks = z
  .number()
  .int("must be a whole number")
  .min(0, "at least 0")
  .max(20, "at most 20");

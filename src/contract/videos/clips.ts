import { z } from "zod";
import { limits } from "../limits.ts";
import { nameText } from "../lists/names.input.ts";
import { clipLengthProblem, clipLimits } from "./clip-limits.ts";

const share = z.number().min(0).max(1);
/** Center of the window, as shares of the free space: 0 is left or top, 1 right or bottom. */
const clipPoint = z.object({ x: share, y: share });
export type ClipPoint = z.infer<typeof clipPoint>;

const clipWindow = z.object({
  /** Size of the window, as a share of the largest one that fits. */
  zoom: z.number().min(clipLimits.minZoom).max(1).default(1),
  from: clipPoint,
  /** Second point. The window moves there once, between two times in the clip. */
  move: z
    .object({ to: clipPoint, startS: z.number().min(0), endS: z.number().max(clipLimits.maxS) })
    .refine(({ startS, endS }) => endS > startS, "The move must end after it starts")
    .nullable()
    .default(null),
});
export type ClipWindow = z.infer<typeof clipWindow>;

/** How a clip becomes upright: a part of the picture, all of it on a blurred background, or unchanged. */
const clipFraming = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("crop"), window: clipWindow }),
  z.object({ kind: z.literal("blur") }),
  z.object({ kind: z.literal("as-is") }),
]);
export type ClipFraming = z.infer<typeof clipFraming>;

/** How to make the file of a clip. */
const clipPlan = z.object({
  framing: clipFraming,
  /** Caption track of the long video that becomes part of the picture; null for none. */
  captionId: z.string().max(40).nullable().default(null),
  /** Time in the long video whose frame becomes the thumbnail; null chooses one. */
  thumbnailS: z.number().min(0).max(1e7).nullable().default(null),
});
export type ClipPlan = z.infer<typeof clipPlan>;

const seconds = z.number().min(0).max(1e7);

const clipInput = clipPlan
  .extend({
    /** Passage of the long video. */
    startS: seconds,
    endS: seconds,
    title: nameText(
      limits.titleMax,
      "Title is required",
      `Title can have at most ${limits.titleMax} characters`,
    ),
  })
  .superRefine(({ startS, endS, thumbnailS }, context) => {
    const message = clipLengthProblem({ startS, endS });
    if (message !== null) context.addIssue({ code: "custom", path: ["endS"], message });
    if (thumbnailS !== null && (thumbnailS < startS || thumbnailS > endS)) {
      const message = "The thumbnail must be in the clip";
      context.addIssue({ code: "custom", path: ["thumbnailS"], message });
    }
  });
export type ClipInput = z.input<typeof clipInput>;

export const clipsBody = z.object({
  clips: z
    .array(clipInput)
    .min(1, "Enter at least one clip")
    .max(clipLimits.maxAtOnce, `at most ${clipLimits.maxAtOnce} clips at once`),
  /**
   * `videoUrl` of the video whose times these are. If the video has other files now, for example
   * after a cut, no clip is made (409, `edit_conflict`).
   */
  videoUrl: z.string().max(2000).optional(),
});

/** Long video of a clip, and the passage. */
export const clipOrigin = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  startS: z.number(),
  endS: z.number(),
  /** True while the long video is in the trash, so that its clips are hidden. For admins only. */
  isTrashed: z.boolean().optional(),
});
export type ClipOrigin = z.infer<typeof clipOrigin>;

/** What to do with the clips of a video that is deleted for good. The default is to unpublish them. */
const clipFates = ["keep", "remove"] as const;
export type ClipFate = (typeof clipFates)[number];
export const clipFate = z.enum(clipFates, `must be one of ${clipFates.join(", ")}`);
export const clipFateQuery = z.object({ clips: clipFate.optional() });

/** Passage that the editor suggests. */
const clipSuggestion = z.object({
  startS: z.number(),
  endS: z.number(),
  kind: z.enum(["replays", "chapter"]),
  title: z.string().nullable(),
});
export type ClipSuggestion = z.infer<typeof clipSuggestion>;

/** Data for the page that makes clips: suggested passages, caption tracks and existing clips. */
export const clipOptions = z.object({
  suggestions: z.array(clipSuggestion),
  /** Why captions can't become part of the picture; null if they can. */
  captionsObstacle: z.string().nullable(),
  captions: z.array(z.object({ id: z.string(), name: z.string(), language: z.string() })),
  /** Existing clips, with the viewers that each brought to the video. */
  clips: z.array(
    z.object({
      id: z.uuid(),
      slug: z.string(),
      title: z.string(),
      startS: z.number(),
      endS: z.number(),
      isPublished: z.boolean(),
      status: z.enum(["processing", "ready", "failed"]),
      broughtViewers: z.number().int(),
    }),
  ),
});
export type ClipOptions = z.infer<typeof clipOptions>;

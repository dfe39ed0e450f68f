import { z } from "zod";

// A visitor's like of a video.

export const likeStatus = z.object({
  liked: z.boolean(),
  likesCount: z.number().int().nonnegative(),
});
export type LikeStatus = z.infer<typeof likeStatus>;

export const favoriteStatus = z.object({ isFavorite: z.boolean() });

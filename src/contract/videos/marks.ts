import { z } from "zod";

export const likeStatus = z.object({
  liked: z.boolean(),
  likesCount: z.number().int().nonnegative(),
});
export type LikeStatus = z.infer<typeof likeStatus>;

export const favoriteStatus = z.object({ isFavorite: z.boolean() });

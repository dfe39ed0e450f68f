import { z } from "zod";
import { feedHeadMax } from "#contract/lists/feed.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { FeedPosition, FeedSession } from "./feed-ranker.ts";

const finite = z.number().refine(Number.isFinite);
const feedPosition: z.ZodType<FeedPosition> = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("ranked"), offset: z.number().int().min(0).max(100_000) }),
  z.object({
    phase: z.literal("rest"),
    afterTrend: finite.nullable(),
    afterId: z.uuid().nullable(),
  }),
  z.object({
    phase: z.literal("seen"),
    afterMs: finite.nullable(),
    afterId: z.uuid().nullable(),
  }),
]);

const cursor = z.object({
  seed: z.string().min(1).max(40),
  at: z.number().int().min(0).max(8.64e15),
  shown: z.array(z.uuid()).max(feedHeadMax),
  place: feedPosition,
});

/**
 * Session and its next position. Doesn't include the visitor, because the cookie identifies them,
 * or their preferences, because the page sends them with every request.
 */
export interface FeedCursor {
  session: Omit<FeedSession, "visitorId" | "steering">;
  position: FeedPosition;
}

export function encodeFeedCursor({ session, position }: FeedCursor): string {
  const value: z.infer<typeof cursor> = {
    seed: session.seed,
    at: session.startedAtMs,
    shown: [...session.shownIds],
    place: position,
  };
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** @throws AppError invalid unless this server issued it. */
export function decodeFeedCursor(text: string): FeedCursor {
  try {
    const value = cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return {
      session: { seed: value.seed, startedAtMs: value.at, shownIds: value.shown },
      position: value.place,
    };
  } catch {
    throw new AppError("invalid", "The cursor isn't valid for this list.", {
      issues: [{ path: "cursor", message: "isn't valid for this list" }],
    });
  }
}

import { z } from "zod";
import { feedHeadMax } from "../../../contract/feed.ts";
import { AppError } from "../../lib/app-error.ts";
import type { FeedPlace, FeedSession } from "./feed-ranker.ts";

const finite = z.number().refine(Number.isFinite);
const place: z.ZodType<FeedPlace> = z.discriminatedUnion("phase", [
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
  place,
});

/** A session and where it goes on, without the visitor: that is told by the cookie alone. */
export interface FeedCursor {
  session: Omit<FeedSession, "visitorId">;
  place: FeedPlace;
}

export function encodeFeedCursor({ session, place: at }: FeedCursor): string {
  const value: z.infer<typeof cursor> = {
    seed: session.seed,
    at: session.startedAtMs,
    shown: [...session.shownIds],
    place: at,
  };
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** @throws AppError invalid where it is not one of ours. */
export function decodeFeedCursor(text: string): FeedCursor {
  try {
    const value = cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return {
      session: { seed: value.seed, startedAtMs: value.at, shownIds: value.shown },
      place: value.place,
    };
  } catch {
    throw new AppError("invalid", "The cursor is not valid for this list.", {
      issues: [{ path: "cursor", message: "is not valid for this list" }],
    });
  }
}

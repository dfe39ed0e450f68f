import { describe, expect, it } from "vitest";
import { trendingReason } from "./lists.service.ts";

describe("why a video trends", () => {
  it("shows a video's views, or its viewers' actions if they weigh more", () => {
    const reason = { kind: "viewsWeek", count: 3 };
    expect(trendingReason({ views: 3, points: 6 }, "week")).toEqual({ reason });
    const points = { kind: "pointsToday", count: 9 };
    expect(trendingReason({ views: 3, points: 12 }, "today")).toEqual({ reason: points });
  });

  it("shows nothing instead of 0 views for an unwatched video", () => {
    for (const range of ["today", "week", "month", "all"] as const) {
      expect(trendingReason({ views: 0, points: 0 }, range)).toEqual({});
    }
  });
});

import { expect, test, vi } from "vitest";
import { fetchSpots } from "../../ads/api/fetch-spots.ts";
import { feedAd } from "../core/feed-items.fixture.ts";
import { fetchFeedAds } from "./fetch-feed-ads.ts";

vi.mock("../../ads/api/fetch-spots.ts", () => ({ fetchSpots: vi.fn() }));

test("at most five ads of the feed, each once", async () => {
  vi.mocked(fetchSpots).mockResolvedValue({ ads: [..."abcdefg"].map(feedAd), serve: "s1" });
  const { ads, serve } = await fetchFeedAds(new AbortController().signal);
  expect(new Set(ads.map(({ id }) => id)).size).toBe(5);
  expect(serve).toBe("s1");
  expect(fetchSpots).toHaveBeenCalledWith(
    expect.objectContaining({ placement: "feed", types: ["banner", "video"], limit: 5 }),
  );
});

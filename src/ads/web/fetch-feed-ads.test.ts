import { expect, test, vi } from "vitest";
import { fetchAds } from "./api/fetch-ads.ts";
import { feedAd } from "#web/features/feed/core/feed-items.fixture.ts";
import { fetchFeedAds } from "./fetch-feed-ads.ts";

vi.mock("./api/fetch-ads.ts", () => ({ fetchAds: vi.fn() }));

test("at most five ads of the feed, each once", async () => {
  vi.mocked(fetchAds).mockResolvedValue({ ads: [..."abcdefg"].map(feedAd), serve: "s1" });
  const { ads, serve } = await fetchFeedAds(new AbortController().signal);
  expect(new Set(ads.map(({ id }) => id)).size).toBe(5);
  expect(serve).toBe("s1");
  expect(fetchAds).toHaveBeenCalledWith(expect.objectContaining({ placement: "feed", limit: 5 }));
});

import { expect, test, vi } from "vitest";
import { call } from "#web/lib/api/http.ts";
import { publicAdQuery } from "../../contract/ads.ts";
import { fetchAds } from "./fetch-ads.ts";

vi.mock("#web/lib/api/http.ts", async (original) => ({
  ...(await original<object>()),
  call: vi.fn(async () => ({ ads: [], serve: "s" })),
}));

test.each(["a", "ж", "𠀀"])(
  "sends the first slugs that fit into the address (%s)",
  async (letter) => {
    vi.stubGlobal("window", { location: { pathname: "/video/loom" } });
    const slugs = Array.from({ length: 50 }, (_, at) => `${at}-${letter.repeat(77)}`);
    const { signal } = new AbortController();
    await fetchAds({ placement: "header", limit: 1, categories: slugs, tags: slugs, signal });
    const [address = ""] = vi.mocked(call).mock.lastCall ?? [];
    expect(address.length).toBeLessThan(7000);
    const { category, tag } = publicAdQuery.parse(
      Object.fromEntries(new URL(address, "http://site.test").searchParams),
    );
    const sent = category?.split(",") ?? [];
    expect(sent.length).toBeGreaterThan(2);
    expect(sent).toEqual(slugs.slice(0, sent.length));
    expect(tag).toBe(category);
  },
);

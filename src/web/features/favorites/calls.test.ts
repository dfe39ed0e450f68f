import { afterEach, expect, test, vi } from "vitest";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
import { fetchFavorites, removeFavorite } from "./calls.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  { liked: true, sent: ["DELETE favorite", "GET like", "POST like"] },
  { liked: false, sent: ["DELETE favorite", "GET like"] },
])("withdraws the like only if it still exists ($liked)", async ({ liked, sent }) => {
  const calls: string[] = [];
  vi.stubGlobal("fetch", (path: string, { method }: RequestInit) => {
    calls.push(`${method} ${path.replace("/api/videos/a/", "")}`);
    return Promise.resolve(Response.json({ isFavorite: false, liked, likesCount: 1 }));
  });
  await removeFavorite("a");
  expect(calls).toEqual(sent);
});

test("fetches more favorites than one request may return", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    sent.push(path);
    const limit = Number(new URL(path, "http://site.test").searchParams.get("limit"));
    const videos = Array.from({ length: limit }, () => adminVideo());
    return Promise.resolve(Response.json({ videos, total: 300, nextCursor: null }));
  });
  expect(await fetchFavorites(0, 130)).toMatchObject({ total: 300, videos: { length: 130 } });
  expect(sent).toEqual(["/api/favorites?limit=100", "/api/favorites?limit=30&offset=100"]);
});

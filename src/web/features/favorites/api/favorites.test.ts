import { afterEach, expect, test, vi } from "vitest";
import { removeFavorite } from "./favorites.ts";

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

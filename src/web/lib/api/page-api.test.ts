import { expect, test, vi } from "vitest";
import { browserApi } from "./page-api.ts";

test("sends a call with its query and drops empty values", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    sent.push(path);
    return Promise.resolve(Response.json({ comments: [], nextCursor: null, isOpen: true }));
  });
  await browserApi.listComments("a b", null).catch(() => undefined);
  await browserApi.listComments("a b", "next").catch(() => undefined);
  expect(sent).toEqual(["/api/videos/a%20b/comments", "/api/videos/a%20b/comments?cursor=next"]);
});

test("rejects with the status of a rejected call", async () => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(Response.json({ message: "Not found", code: "not_found" }, { status: 404 })),
  );
  await expect(browserApi.getVideo("unknown")).rejects.toMatchObject({ status: 404 });
});

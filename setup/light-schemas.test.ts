import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { feedList } from "#contract/lists/feed.ts";
import * as auditContract from "#contract/accounts/audit.ts";
import * as eventContract from "#contract/site/admin-events.ts";
import * as videoContract from "#contract/videos/videos.ts";
import * as runtime from "#web/lib/api/wire-schema.ts";
import { lightModule } from "./light-schemas.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a light module as the browser would. */
function load(exports: Record<string, unknown>): Map<string, runtime.WireSchema> {
  const body = lightModule({ ...exports }, "runtime").replace(/^import .*$/m, "");
  const names = [...body.matchAll(/^export const (\w+) =/gm)].map(([, name]) => name);
  const code = `${body.replaceAll("export const", "const")}\nreturn { ${names.join(", ")} };`;
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval
  const values: unknown = new Function(...Object.keys(runtime), code)(...Object.values(runtime));
  return new Map(Object.entries(values as Record<string, runtime.WireSchema>));
}

const label = { id: "11111111-1111-4111-8111-111111111111", name: "Nature", slug: "nature" };
const video = {
  id: label.id,
  slug: "a",
  title: "A",
  description: null,
  thumbnail: null,
  thumbnailUrl: null,
  videoUrl: "/a.mp4",
  posterUrl: null,
  smallVideoUrl: null,
  hlsUrl: null,
  previewUrl: null,
  storyboardUrl: null,
  fileFormat: "mp4",
  duration: 3.5,
  width: 640,
  height: null,
  views: 1,
  likes: 0,
  isLiked: false,
  isPublished: true,
  isPremium: false,
  status: "ready",
  createdAt: "2026-03-04T10:00:00.000Z",
  publishedAt: null,
  categories: [{ category: label }],
  tags: [],
  actors: [],
  version: 3,
};

describe("light schemas", () => {
  const videos = load(videoContract);

  it("returns the same as zod and drops unknown fields", () => {
    const list = { videos: [{ ...video, secret: 1 }], total: 1, nextCursor: null };
    expect(videos.get("videoList")?.parse(list)).toEqual(videoContract.videoList.parse(list));
  });

  it.each([
    ["a wrong type", { title: 3 }, "response.title is not a string"],
    ["a missing field", { views: undefined }, "response.views is not a number"],
    ["an unknown word", { status: "lost" }, "response.status is not one of processing, ready"],
    ["a wrong item", { tags: [{ tag: null }] }, "response.tags[0].tag is not an object"],
  ])("refuses %s", (_name, change, message) => {
    expect(() => videos.get("video")?.parse({ ...video, ...change })).toThrow(message);
  });

  it("accepts unions and unknown values", () => {
    const events = load(eventContract);
    const event = { type: "bulk", id: "7" };
    expect(events.get("adminEvent")?.parse(event)).toEqual(event);
    expect(() => events.get("adminEvent")?.parse({ type: "other" })).toThrow("alternatives");
    expect(load(auditContract).has("auditList")).toBe(true);
  });

  it("leaves out requests and functions, and keeps constants", () => {
    expect(videos.has("videoUpdate")).toBe(false);
    const names = [...load({ max: 3, list: ["a"], run: () => 1, feedList }).keys()];
    expect(names).toEqual(["max", "list", "feedList"]);
  });

  it("leaves out a transformation", () => {
    const trimmed = z.string().transform((text) => text.trim());
    expect(load({ trimmed }).size).toBe(0);
  });
});

it("uses only `parse` of schemas in the web part, the only method of light ones", () => {
  const files = globSync("src/{web,ads/web,ads/admin}/**/*.{ts,tsx}", { cwd: root });
  const offenders = files.filter((file) => {
    if (file.endsWith(".schema.ts")) return false;
    const code = readFileSync(join(root, file), "utf8");
    if (/import (?!type).* from "zod/.test(code)) return true;
    // `readBody` gets its schema from callers, which must import a full one.
    if (file.endsWith("/form-values.ts")) return false;
    return /\.safeParse\(|\breadBody\(/.test(code) && !code.includes('.input.ts"');
  });
  expect(offenders).toEqual([]);
});

import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createClient, useTestApp, type TestClient } from "#test/app.ts";
import { changeVideo, makeVideo } from "#test/factories/make-video.ts";
import { transcript as transcriptSchema } from "#contract/videos/transcript.ts";
import { createStoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import { createCaptionFiles } from "./caption-files.ts";
import { createCaptionsService } from "./captions.service.ts";

const siteUrl = "https://videos.example";
const app = useTestApp({ pages: true, env: { SITE_URL: siteUrl } });
let cookie: string;
let visitor: TestClient;
beforeAll(async () => {
  cookie = await app.signIn();
  visitor = createClient(app.url);
});

const clock = (totalS: number) => new Date(totalS * 1000).toISOString().slice(11, 23);
const webVtt = (lines: readonly string[]) =>
  `WEBVTT\n\n${lines.map((text, at) => `${clock(at * 2)} --> ${clock(at * 2 + 1.9)}\n${text}\n`).join("\n")}`;

async function addCaptions(id: string, query: string, lines: readonly string[]): Promise<string> {
  const response = await fetch(`${app.url}/api/admin/videos/${id}/captions?${query}`, {
    method: "POST",
    headers: { cookie, origin: app.url },
    body: webVtt(lines),
  });
  expect(response.status).toBe(201);
  const { id: captionId } = z.object({ id: z.string() }).parse(await response.json());
  return captionId;
}

const read = async (slug: string, query = "") => {
  const { status, json } = await visitor.call("GET", `/api/videos/${slug}/transcript${query}`);
  return { status, ...(status === 200 ? transcriptSchema.parse(json) : {}) };
};
const wordsOf = ({ paragraphs = [] }: Awaited<ReturnType<typeof read>>) =>
  paragraphs.flatMap(({ lines }) => lines.map(({ text }) => text));

const page = async (path: string) => (await visitor.call("GET", path)).text;
const jsonLdOf = (html: string): string | undefined => {
  const text = /"transcript":("(?:[^"\\]|\\.)*")/.exec(html)?.[1];
  return text === undefined ? undefined : z.string().parse(JSON.parse(text));
};

it("chooses the track of the language, the default one, or the named one", async () => {
  const { id, slug } = await makeVideo(app.db);
  await addCaptions(id, "language=fr&isForced=true", ["panneau"]);
  await addCaptions(id, "language=en", ["hello"]);
  await addCaptions(id, "language=pt-BR", ["olá"]);
  await addCaptions(id, "language=de&isDefault=true", ["hallo"]);
  expect(wordsOf(await read(slug))).toEqual(["hallo"]);
  expect(wordsOf(await read(slug, "?language=en"))).toEqual(["hello"]);
  expect(wordsOf(await read(slug, "?language=pt"))).toEqual(["olá"]);
  const { tracks = [] } = await read(slug, "?language=fr");
  expect(tracks.map(({ language }) => language)).toEqual(["en", "pt-BR", "de"]);
  const named = await read(slug, `?track=${encodeURIComponent(tracks[1]?.url ?? "")}`);
  expect(wordsOf(named)).toEqual(["olá"]);
  expect((await read(slug, "?track=/media/v/other/captions.vtt")).status).toBe(404);
});

it("has no transcript of forced captions and audio descriptions", async () => {
  const { id, slug } = await makeVideo(app.db);
  await addCaptions(id, "language=fr&isForced=true", ["panneau"]);
  expect((await read(slug)).status).toBe(404);
  expect(await page(`/video/${slug}`)).not.toContain("panneau");
  const { db, storage } = app.context;
  const files = createCaptionFiles(storage);
  const captions = createCaptionsService({
    db,
    files,
    storedFiles: createStoredFiles(app.context),
    changed: async () => {},
  });
  await captions.saveFound(id, "file", [
    {
      ...{ track: 3, language: "en", name: null, isDefault: false, isForced: false },
      isDescription: true,
      lines: [{ startMs: 0, endMs: 900, text: "A man enters.", place: "" }],
    },
  ]);
  expect((await read(slug)).status).toBe(404);
});

it("refuses captions of a video that visitors can't see", async () => {
  const { id, slug } = await makeVideo(app.db);
  await addCaptions(id, "language=en", ["secret words"]);
  await changeVideo(app.db, id, { visibility: "private" });
  expect((await read(slug)).status).toBe(404);
  expect(await page(`/video/${slug}`)).not.toContain("secret words");
});

it("contains readable links in the page, in the language of the page", async () => {
  const { id, slug } = await makeVideo(app.db, { slug: "markup" });
  const hostile = "<script>alert(1)</script><img src=x onerror=alert(2)> & <i>I</i> &lt;3 </li>";
  await addCaptions(id, "language=en", [hostile, "Second"]);
  await addCaptions(id, "language=ar", ["صباح الخير"]);
  const english = await page(`/video/${slug}`);
  expect(english).toContain('<a href="?t=2"><i>0:02 </i>Second</a>');
  expect(english).toContain('<a href="?t=0.1"><i>0:00 </i>&amp; I &lt;3</a>');
  expect(english).not.toContain("onerror");
  expect(jsonLdOf(english)).toBe("& I <3 Second");
  const arabic = await page(`/ar/video/${slug}`);
  expect(arabic).toMatch(/<ol lang="ar"><li dir="auto"><a [^>]*><i>[^<]*<\/i>صباح الخير<\/a>/);
  // The data for hydration doesn't repeat it.
  expect(english.split("Second")).toHaveLength(3);
});

it("adds at most 15 KB to the page for 20,000 lines, and returns them in parts", async () => {
  const { slug, id } = await makeVideo(app.db);
  const bytes = async () => Buffer.byteLength(await page(`/video/${slug}`));
  const lines = Array.from({ length: 20_000 }, (_, at) =>
    at % 3 === 0 ? `<b>שורה</b> & ${at} <i>"טקסט"</i>` : `line <u>${at}</u> "said" & done`,
  );
  await changeVideo(app.db, id, { captions: JSON.stringify([]) });
  const before = await bytes();
  await addCaptions(id, "language=en", lines);
  // Links of the caption track itself are as long as before there were transcripts.
  const { text: video } = await visitor.call("GET", `/api/videos/${id}`);
  const track = Buffer.byteLength(/"captions":\[.*?\],/.exec(video)?.[0] ?? "");
  const added = (await bytes()) - before - track;
  expect(added).toBeGreaterThan(10 * 1024);
  expect(added).toBeLessThanOrEqual(15 * 1024);

  const texts: string[] = [];
  let from: number | null | undefined = 0;
  while (typeof from === "number") {
    const part = await read(slug, `?from=${from}`);
    texts.push(...wordsOf(part));
    expect(part.paragraphs?.length).toBeGreaterThan(0);
    from = part.next;
  }
  expect(texts).toHaveLength(20_000);
  expect(texts.at(-1)).toBe('line 19999 "said" & done');
});

it("limits the structured data to 5,000 characters", async () => {
  const { id, slug } = await makeVideo(app.db);
  await addCaptions(
    id,
    "language=en",
    Array.from({ length: 500 }, (_, at) => `${at} some spoken words`),
  );
  const text = jsonLdOf(await page(`/video/${slug}`)) ?? "";
  expect(text.length).toBeLessThanOrEqual(5000);
  expect(text.length).toBeGreaterThan(4900);
});

it("shows changed captions at once, though pages are cached", async () => {
  const { id, slug } = await makeVideo(app.db);
  const captionId = await addCaptions(id, "language=en", ["before"]);
  expect(await page(`/video/${slug}`)).toContain("before</a>");
  expect(wordsOf(await read(slug))).toEqual(["before"]);
  const admin = createClient(app.url, cookie);
  const path = `/api/admin/videos/${id}/captions/${captionId}`;
  const changed = await admin.call("PUT", path, {
    lines: [{ startMs: 0, endMs: 900, text: "after" }],
  });
  expect(changed.status).toBe(200);
  expect(await page(`/video/${slug}`)).toContain("after</a>");
  expect(wordsOf(await read(slug))).toEqual(["after"]);
  await admin.call("DELETE", path);
  expect(await page(`/video/${slug}`)).not.toContain("after</a>");
  expect((await read(slug)).status).toBe(404);
});

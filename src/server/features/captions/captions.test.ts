import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeTag } from "#test/factories/make-label.ts";
import { makeDraft, makeVideo, changeVideo, readVideo } from "#test/factories/make-video.ts";
import { captionLimits } from "#contract/videos/captions.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Media } from "#server/media/media.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";
import { createStoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import { createProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import { createAutomaticCaptions } from "./automatic-captions.ts";
import { createCaptionFiles, addSubtitles, writeCaptionPlaylist } from "./caption-files.ts";
import { createCaptionsService } from "./captions.service.ts";

let admin: ReturnType<typeof createClient>;
let cookie: string;
const app = useTestApp();
beforeAll(async () => {
  cookie = await app.signIn();
  admin = createClient(app.url, cookie);
});

const srt = "1\n00:00:01,000 --> 00:00:02,000\nHello <script>x()</script><i>you</i>\n";
const master =
  '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="sound"\nv360.m3u8\n';

const upload = (id: string, query: string, body = srt) =>
  fetch(`${app.url}/api/admin/videos/${id}/captions?${query}`, {
    method: "POST",
    headers: { cookie, origin: app.url, "content-type": "application/x-subrip" },
    body,
  });

async function makeLadderVideo(values: Parameters<typeof makeVideo>[1] = {}) {
  const video = await makeVideo(app.db, values);
  const key = `${videoFolder(video.media_token)}step/hls/master.m3u8`;
  await app.context.storage.putBytes(key, master);
  await changeVideo(app.db, video.id, { hls_key: key });
  return video;
}

async function readMaster(id: string): Promise<string> {
  const { json } = await admin.call("GET", `/api/videos/${id}`);
  return (await fetch(app.url + json.hlsUrl)).text();
}

test("adds an uploaded file as clean WebVTT, as a field of the video and as a subtitle rendition", async () => {
  const { id } = await makeLadderVideo();
  const added = await upload(id, "language=de&isDefault=true");
  expect(added.status).toBe(201);
  const caption = await added.json();
  expect(caption).toMatchObject({
    language: "de",
    name: "Deutsch",
    origin: "upload",
    lineCount: 1,
  });

  const visitor = createClient(app.url);
  const { json: video } = await visitor.call("GET", `/api/videos/${id}`);
  expect(video.captions).toEqual([
    { language: "de", name: "Deutsch", url: caption.url, isDefault: true },
  ]);
  const file = await fetch(app.url + caption.url);
  expect(file.headers.get("content-type")).toBe("text/vtt; charset=utf-8");
  expect(await file.text()).toBe("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello <i>you</i>\n");

  const playlist = await readMaster(id);
  const uri = /TYPE=SUBTITLES.*LANGUAGE="de",DEFAULT=YES.*URI="([^"]+)"/.exec(playlist)?.[1] ?? "";
  expect(playlist).toContain('#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="sound",SUBTITLES="captions"');
  const rendition = await fetch(new URL(uri, app.url + video.hlsUrl));
  expect(rendition.headers.get("content-type")).toBe("application/vnd.apple.mpegurl");
  expect(await rendition.text()).toContain("\n#EXTINF:60.000,\ncaptions.vtt\n");
});

test("changes lines, name and flags, with a single default", async () => {
  const { id } = await makeLadderVideo();
  const first = await (await upload(id, "language=en&isDefault=true")).json();
  const second = await (await upload(id, "language=fr&name=Fran%C3%A7ais")).json();
  const lines = [
    { startMs: 5000, endMs: 6000, text: "Later & <b onclick=x>bold" },
    { startMs: 1000, endMs: 2000, text: "First" },
    { startMs: 1000, endMs: 500, text: "Backwards" },
  ];
  const path = `/api/admin/videos/${id}/captions`;
  const changed = await admin.call("PUT", `${path}/${second.id}`, {
    lines,
    isDefault: true,
    language: "pt_BR",
    expectedUrl: second.url,
  });
  expect(changed.status).toBe(400);
  const { json } = await admin.call("PUT", `${path}/${second.id}`, {
    lines,
    isDefault: true,
    language: "pt-br",
    expectedUrl: second.url,
  });
  expect(json).toMatchObject({
    language: "pt-BR",
    name: "Français",
    isDefault: true,
    lineCount: 2,
  });
  expect(json.url).not.toBe(second.url);
  expect((await fetch(app.url + json.url).then((file) => file.text())).split("\n")[6]).toBe(
    "Later &amp; &lt;b onclick=x&gt;bold",
  );
  const { json: list } = await admin.call("GET", path);
  expect(list.captions.map((each: { isDefault: boolean }) => each.isDefault)).toEqual([
    false,
    true,
  ]);
  const stale = await admin.call("PUT", `${path}/${second.id}`, { lines, expectedUrl: second.url });
  expect(stale.status).toBe(409);
  expect((await admin.call("DELETE", `${path}/${first.id}`)).status).toBe(204);
  expect((await admin.call("GET", `${path}/${first.id}`)).status).toBe(404);
  expect(await readMaster(id)).not.toContain("English");
});

test("restores the ladder's playlist once no captions are left", async () => {
  const { id } = await makeLadderVideo();
  const { id: captionId } = await (await upload(id, "language=en")).json();
  await admin.call("DELETE", `/api/admin/videos/${id}/captions/${captionId}`);
  expect(await readMaster(id)).toBe(master);
  expect((await createClient(app.url).call("GET", `/api/videos/${id}`)).json.captions).toBe(
    undefined,
  );
});

test("saves as many lines as a track may have", async () => {
  const { id } = await makeDraft(app.db);
  const { id: captionId } = await (await upload(id, "language=en")).json();
  const path = `/api/admin/videos/${id}/captions/${captionId}`;
  const line = (at: number) => ({ startMs: at, endMs: at + 1, text: `Line ${at}`, place: "" });
  const lines = Array.from({ length: captionLimits.maxLines }, (_, at) => line(at));
  const saved = await admin.call("PUT", path, { lines });
  expect([saved.status, saved.json.lineCount]).toEqual([200, captionLimits.maxLines]);
  const refused = await admin.call("PUT", path, { lines: [...lines, line(lines.length)] });
  expect(refused.status).toBe(400);
});

test("returns saved lines that repeat a row", async () => {
  const { id } = await makeDraft(app.db);
  const { id: captionId } = await (await upload(id, "language=en")).json();
  const path = `/api/admin/videos/${id}/captions/${captionId}`;
  const texts = ["We will,", ...Array<string>(4).fill("we will rock you")];
  const lines = texts.map((text, at) => {
    const startMs = at * 1000;
    return { startMs, endMs: startMs + 900, text, place: "" };
  });
  await admin.call("PUT", path, { lines });
  expect((await admin.call("GET", path)).json.lines).toEqual(lines);
});

test.each([
  ["another kind of file", "language=en", "<html>", 415],
  ["no usable line", "language=en", "WEBVTT\n\n", 400],
  ["no language", "language=english+words", srt, 400],
  ["a file over the limit", "language=en", " ".repeat(4 * 1024 * 1024 + 1), 413],
])("refuses %s", async (_, query, body, status) => {
  const { id } = await makeDraft(app.db);
  expect((await upload(id, query, body)).status).toBe(status);
});

test("shows captions of a draft only to admins, and preserves them through the trash", async () => {
  const { id } = await makeDraft(app.db);
  const { url } = await (await upload(id, "language=en")).json();
  expect((await fetch(app.url + url)).status).toBe(404);
  await admin.call("DELETE", `/api/videos/${id}`);
  await admin.call("POST", `/api/admin/trash/${id}/restore`);
  const { json } = await admin.call("GET", `/api/admin/videos/${id}/captions`);
  expect(json.captions).toMatchObject([{ url, lineCount: 1 }]);
});

test("preserves concurrent changes", async () => {
  const { id } = await makeLadderVideo();
  const languages = ["en", "de", "fr"];
  const added = await Promise.all(languages.map((each) => upload(id, `language=${each}`)));
  expect(added.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect((await readMaster(id)).match(/TYPE=SUBTITLES/g)).toHaveLength(3);
});

test("doesn't delete the playlist of a change that completes in the meantime", async () => {
  const files = createCaptionFiles(app.context.storage);
  const service = createCaptionsService({
    db: app.db,
    files: {
      ...files,
      async deleteOldMasters(keys) {
        await wait(400);
        await files.deleteOldMasters(keys);
      },
    },
    storedFiles: createStoredFiles(app.context),
    changed: () => Promise.resolve(),
  });
  const { id } = await makeLadderVideo();
  const add = (language: string) =>
    service.add(
      id,
      Buffer.from(srt),
      { language, name: "", isDefault: false, isForced: false },
      { user: { id: null, email: "test" }, requestId: "test" },
    );
  await Promise.all([add("en"), wait(200).then(() => add("de"))]);
  expect((await readMaster(id)).match(/TYPE=SUBTITLES/g)).toHaveLength(2);
});

test("rewrites a playlist that another change deletes during the write", async () => {
  const files = createCaptionFiles(app.context.storage);
  const writeMaster = vi
    .fn(files.writeMaster)
    .mockRejectedValueOnce(new AppError("not_found", "File not found."));
  const service = createCaptionsService({
    db: app.db,
    files: { ...files, writeMaster },
    storedFiles: createStoredFiles(app.context),
    changed: () => Promise.resolve(),
  });
  const { id } = await makeLadderVideo();
  const given = { language: "en", name: "", isDefault: false, isForced: false };
  const actor = { user: { id: null, email: "test" }, requestId: "test" };
  await service.add(id, Buffer.from(srt), given, actor);
  expect(writeMaster).toHaveBeenCalledTimes(2);
  expect((await readMaster(id)).match(/TYPE=SUBTITLES/g)).toHaveLength(1);
});

test.each(["upload", "automatic"] as const)(
  "deletes files of a video that is removed while %s captions are written",
  async (origin) => {
    const { id, media_token: mediaToken } = await makeLadderVideo();
    const files = createCaptionFiles(app.context.storage);
    const service = createCaptionsService({
      db: app.db,
      files: {
        ...files,
        async write(token, lines) {
          await app.db.deleteFrom("videos").where("id", "=", id).execute();
          return files.write(token, lines);
        },
      },
      storedFiles: createStoredFiles(app.context),
      changed: () => Promise.resolve(),
    });
    const flags = { name: "", isDefault: false, isForced: false };
    const lines = [{ startMs: 0, endMs: 1000, text: "Hello", place: "" }];
    const actor = { user: { id: null, email: "test" }, requestId: "test" };
    await expect(
      origin === "upload"
        ? service.add(id, Buffer.from(srt), { ...flags, language: "en" }, actor)
        : service.saveFound(id, origin, [{ ...flags, language: "en", track: null, lines }]),
    ).rejects.toMatchObject({ code: "not_found" });
    const left: string[] = [];
    for await (const { key } of app.context.storage.list(videoFolder(mediaToken))) left.push(key);
    expect(left).toEqual([]);
  },
);

test("adds tracks of a file up to the maximum", async () => {
  const { id } = await makeVideo(app.db);
  await upload(id, "language=en");
  const lines = [{ startMs: 0, endMs: 1000, text: "Hello", place: "" }];
  const tracks = Array.from({ length: captionLimits.maxTracks }, (_, track) => ({
    ...{ track, language: "de", name: null, isDefault: false, isForced: false, lines },
  }));
  await app.context.captions.saveFound(id, "file", tracks);
  const { captions } = await app.context.captions.list(id);
  expect(captions).toHaveLength(captionLimits.maxTracks);
});

async function indexCaptions(): Promise<void> {
  await app.runJob("captions.index");
}

async function search(text: string) {
  const query = new URLSearchParams({ search: text });
  const { json } = await createClient(app.url).call("GET", `/api/videos?${query}`);
  return (json.videos as { id: string; why: string; foundAtS?: number }[]).map((video) => ({
    id: video.id,
    why: video.why,
    ...(video.foundAtS === undefined ? {} : { foundAtS: video.foundAtS }),
  }));
}

test("finds words in captions with their time and ranks them below titles", async () => {
  const spoken = await makeLadderVideo();
  const titled = await makeVideo(app.db, { title: "Zanzibar lighthouse" });
  const lines = [
    "1\n00:00:01,000 --> 00:00:03,000\nNothing of that",
    "2\n00:01:23,500 --> 00:01:25,000\nThe <i>lighthouse</i>",
    "3\n00:01:30,000 --> 00:01:32,000\nof Zanzibar",
    "4\n01:02:03,000 --> 01:02:05,000\nA narwhal",
  ];
  const { id: captionId } = await (
    await upload(spoken.id, "language=en", lines.join("\n\n"))
  ).json();
  await indexCaptions();
  expect(await search("zanzibar lighthouse")).toEqual([
    { id: titled.id, why: "Found in the title" },
    { id: spoken.id, why: "Said at 1:23", foundAtS: 83 },
  ]);
  expect(await search("narwh")).toEqual([
    { id: spoken.id, why: "Said at 1:02:03", foundAtS: 3723 },
  ]);
  await admin.call("DELETE", `/api/admin/videos/${spoken.id}/captions/${captionId}`);
  await indexCaptions();
  expect(await search("narwhal")).toEqual([]);
});

test("finds phrases after the start of a long transcript, in every kind of list", async () => {
  const { id } = await makeLadderVideo({ title: "Long" });
  const short = await makeLadderVideo({ title: "Short" });
  await upload(short.id, "language=ja", srt);
  const words = [
    "1\n00:00:01,000 --> 00:00:03,000\n" + "ま".repeat(300),
    "2\n00:00:20,000 --> 00:00:22,000\nまどを開ける",
    "3\n00:00:40,000 --> 00:00:42,000\n" + "a ".repeat(300),
    "4\n00:01:00,000 --> 00:01:02,000\na quokka sleeps",
  ];
  await upload(id, "language=ja", words.join("\n\n"));
  await indexCaptions();
  const documents = app.db.selectFrom("video_search").select("video_id");
  expect(
    await documents
      .where("lacks_positions", "=", true)
      .where("video_id", "in", [id, short.id])
      .execute(),
  ).toEqual([{ video_id: id }]);
  expect(await search("まど")).toEqual([{ id, why: "Said at 0:20", foundAtS: 20 }]);
  expect(await search('"a quokka"')).toEqual([{ id, why: "Said at 1:00", foundAtS: 60 }]);
  expect(await search("どま")).toEqual([]);
  expect(await search('"quokka a"')).toEqual([]);
  expect(await search('sleeps -"a quokka"')).toEqual([]);
  const visitor = createClient(app.url);
  for (const words of ["まど", '"a quokka" sleeps']) {
    const text = `search=${encodeURIComponent(words)}`;
    for (const [client, path] of [
      [visitor, `/api/videos?${text}&sort=newest`],
      [visitor, `/api/videos?${text}&sort=newest&date=year`],
      [admin, `/api/admin/videos?${text}`],
      [admin, `/api/admin/videos?${text}&state=published`],
    ] as const) {
      const { json } = await client.call("GET", path);
      expect([path, json.total]).toEqual([path, 1]);
    }
  }
});

test.each([
  ["東京旅行", "旅行"],
  ["カメラ", "かめら"],
  ["Łódź nocą", "lodz noca"],
  ["Die Straße", "strasse"],
  ["Smørrebrød", "smorrebrod"],
  ["Don't stop", "dont stop"],
  ["Lanterns II", "lanterns 2"],
  ["Harbour", "bateaux", { fr: { title: "Bateaux" } }],
])("links to the start of %s, whose title contains %s, if it is also spoken", async (...row) => {
  const [title, words, translations = {}] = row;
  const { id } = await makeLadderVideo({ title, translations: JSON.stringify(translations) });
  await upload(id, "language=en", `1\n00:01:00,000 --> 00:01:02,000\n${words}\n`);
  await indexCaptions();
  expect(await search(words)).toEqual([{ id, why: "Found in the title" }]);
});

test("links to the start of a video whose labels and description contain all spoken words", async () => {
  const tag = await makeTag(app.db, { name: "Øresund bridge" });
  const tagged = await makeVideo(app.db, { title: "Bridge" }, { tagIds: [tag.id] });
  const described = await makeVideo(app.db, {
    title: "Sound",
    description: "The øresund, a bridge",
  });
  const both = await makeVideo(app.db, { title: "Øresund", description: "Under the bridge" });
  const translated = await makeVideo(app.db, {
    title: "Strait",
    translations: JSON.stringify({ de: { description: "Der Øresund, eine Bridge" } }),
  });
  for (const { id } of [tagged, described, both, translated]) {
    await upload(id, "language=en", "1\n00:01:00,000 --> 00:01:02,000\nOresund and bridge\n");
  }
  await indexCaptions();
  expect(await search("oresund bridge")).toEqual([
    { id: tagged.id, why: "Found in #Øresund bridge" },
    { id: translated.id, why: "Found in the description" },
    { id: both.id, why: "Found in the title" },
    { id: described.id, why: "Found in the description" },
  ]);
});

test("refuses automatic captions without a command", async () => {
  const { id } = await makeVideo(app.db);
  const path = `/api/admin/videos/${id}/captions`;
  expect((await admin.call("GET", path)).json.automatic).toBe("off");
  expect((await admin.call("POST", `${path}/automatic`)).status).toBe(409);
});

/** Creates a video, and a job that makes its captions with this function. */
async function automaticCaptions(transcribe: Media["transcribe"]) {
  const { context, db } = app;
  const { id } = await makeVideo(db);
  await context.storage.putBytes(sourceKey(id), "sound");
  await changeVideo(db, id, { source_key: sourceKey(id) });
  const { media } = context;
  const { job } = createAutomaticCaptions({
    ...context,
    config: { ...context.config, captionCommand: "listen", captionLanguage: "en" },
    state: createProcessingStateService(context),
    captions: createCaptionsService({
      ...context,
      files: createCaptionFiles(context.storage),
      storedFiles: createStoredFiles(context),
    }),
    media: Object.assign(Object.create(media) as typeof media, {
      probe: () => Promise.resolve({ audio: {} }),
      transcribe,
    }),
  });
  return {
    id,
    run: () => job.run({ videoId: id }, { signal: new AbortController().signal }),
    list: async () => (await admin.call("GET", `/api/admin/videos/${id}/captions`)).json.captions,
    isQueued: () => context.queue.hasUnfinished(["video.captions"], { videoId: id }),
  };
}

const hello = { startMs: 0, endMs: 1000, text: "Hello", place: "" };

test.each([
  ["speech", [hello]],
  ["no speech", []],
])("makes automatic captions again if a video with %s is cut meanwhile", async (_, first) => {
  const heard: unknown[] = [];
  const part = { startS: 0, endS: 5 };
  const { id, run, list, isQueued } = await automaticCaptions(async ({ keptParts }) => {
    heard.push(keptParts);
    await changeVideo(app.db, id, { kept_parts: JSON.stringify([part]) });
    return heard.length === 1 ? first : [hello];
  });
  await run();
  expect(await list()).toEqual([]);
  expect(await isQueued()).toBe(true);
  await run();
  expect(await list()).toHaveLength(1);
  expect(heard).toEqual([null, [part]]);
});

test("adds no automatic captions to a video without speech", async () => {
  const { id, run, list, isQueued } = await automaticCaptions(async () => []);
  await run();
  expect(await list()).toEqual([]);
  expect(await isQueued()).toBe(false);
  expect((await readVideo(app.db, id)).media_notices).toEqual([]);
});

test("quotes names in a playlist and makes them unique", () => {
  const caption = { language: "en", name: 'A "name"\n', isDefault: false, isForced: true };
  const stored = { ...caption, origin: "upload", track: null, lineCount: 1 } as const;
  const captions = [
    { ...stored, id: "1", key: "v/t/captions-a/captions.vtt" },
    { ...stored, id: "2", key: "v/t/captions-b/captions.vtt" },
  ];
  const text = addSubtitles(master, "v/t/step/hls/master-x.m3u8", { captions, durationS: 4.5 });
  expect(text.split("\n").slice(2, 4)).toEqual([
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="A  name  ",LANGUAGE="en",DEFAULT=NO,' +
      'AUTOSELECT=YES,FORCED=YES,URI="../../captions-a/captions-4500.m3u8"',
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="A  name   2",LANGUAGE="en",DEFAULT=NO,' +
      'AUTOSELECT=YES,FORCED=YES,URI="../../captions-b/captions-4500.m3u8"',
  ]);
});

test.each([0, 0.04, 9.4, 9.9996, 10.0004, 36_000.5])(
  "writes a caption playlist of %s s as long as the video, in one segment within its target",
  (durationS) => {
    const text = writeCaptionPlaylist("captions.vtt", durationS);
    const lengths = [...text.matchAll(/^#EXTINF:([\d.]+),$/gm)].map(([, length]) => Number(length));
    expect(lengths).toEqual([expect.closeTo(Math.max(durationS, 0.1), 3)]);
    const target = Number(/^#EXT-X-TARGETDURATION:(\d+)$/m.exec(text)?.[1]);
    expect(Math.round(lengths[0] ?? 0)).toBeLessThanOrEqual(target);
    expect(text).toContain("\n#EXT-X-ENDLIST\n");
  },
);

import { expect } from "vitest";
import { passWithLink } from "#contract/visitors/passes.ts";
import type { Db } from "#server/db/connection.ts";
import { changeVideo, makeVideo, type VideoRow } from "./factories/make-video.ts";
import { spellingsOf } from "./target-spellings.ts";

/** Text in every file that needs a pass, and in no other. */
export const mark = "withheld-bytes";

/** Names of files that need a pass, below the folder of a video. */
export const closed = [
  ...["step/play.mp4", "step/small.mp4", "hls/master.m3u8", "hls/v720.m3u8", "hls/v720.mp4"],
  ...["hls/init.mp4", "hls/seg-1.m4s", "hls/sound-1.m3u8", "hls/sound-1.mp4", "hls/av1/v720.mp4"],
  ...["story/storyboard.vtt", "story/storyboard-1.jpg", "captions-a/en.vtt", "captions-a/en.m3u8"],
  ...["audio/sound.m4a", "step/unlisted.webp", "thumbnail-old/w640.webp"],
] as const;

/** Names of files that everyone may see, if the video is long enough for a preview. */
export const open = [
  "step/poster.webp",
  "thumb/w640.webp",
  "thumb/w400.avif",
  "step/preview.mp4",
] as const;

const dayMs = 86_400_000;

const keysOf = (token: string) => ({
  progressive_key: `v/${token}/step/play.mp4`,
  progressive_small_key: `v/${token}/step/small.mp4`,
  audio_key: `v/${token}/audio/sound.m4a`,
  hls_key: `v/${token}/hls/master.m3u8`,
  storyboard_key: `v/${token}/story/storyboard.vtt`,
  preview_key: `v/${token}/step/preview.mp4`,
  poster_key: `v/${token}/step/poster.webp`,
  thumbnail_key: `v/${token}/thumb/w640.webp`,
});

/** Adds a premium video with all kinds of files. From 30 s on, everyone may see its preview. */
export async function addMembersVideo(
  db: Db,
  put: (key: string, bytes: Buffer) => Promise<unknown>,
  values: Parameters<typeof makeVideo>[1],
  labels?: Parameters<typeof makeVideo>[2],
): Promise<VideoRow> {
  const video = await makeVideo(
    db,
    {
      is_premium: true,
      description: "About boats",
      chapters: JSON.stringify([
        { startS: 0, title: `${mark} chapter` },
        { startS: 20, title: `${mark} second` },
      ]),
      ...values,
    },
    labels,
  );
  const token = video.media_token;
  await changeVideo(db, video.id, {
    ...keysOf(token),
    captions: JSON.stringify([
      {
        id: "1",
        language: "en",
        name: `${mark} captions`,
        isDefault: true,
        isForced: false,
        origin: "upload",
        track: null,
        lineCount: 1,
        key: `v/${token}/captions-a/en.vtt`,
      },
    ]),
  });
  const cue = `WEBVTT\n\n00:01.000 --> 00:04.000\n${mark} of a line\n`;
  for (const name of closed) {
    const text = name === "captions-a/en.vtt" ? cue : `${mark} of ${name} `.repeat(200);
    await put(`v/${token}/${name}`, Buffer.from(text));
  }
  for (const name of open) {
    const isOpen = name !== "step/preview.mp4" || video.duration_s >= 30;
    await put(`v/${token}/${name}`, Buffer.from(isOpen ? "open" : mark));
  }
  return video;
}

/** Site under attack, and how to reach it. */
export interface AttackedSite {
  db: Db;
  /** Sends a request as the owner, and returns the JSON of the response. */
  admin(method: string, path: string, body?: object): Promise<unknown>;
  /** Opens `/pass` with a code on a new device, and returns its `cookie` header. */
  use(code: string): Promise<string>;
  /** Removes a device from its pass. */
  leave(cookie: string): Promise<unknown>;
}

export interface Member {
  id: string;
  cookie: string;
}

/** Creates a pass and uses it on one device. */
export async function createMember(site: AttackedSite): Promise<Member & { code: string }> {
  const created = await site.admin("POST", "/api/admin/passes", { days: 9 });
  const { id, code } = passWithLink.parse(created);
  return { id, code, cookie: await site.use(code) };
}

/**
 * Returns a member, and the headers of visitors who aren't members. `oddities` are more such
 * visitors, for attacks within one process.
 */
export async function createVisitors(site: AttackedSite) {
  const expired = await createMember(site);
  await site.db
    .updateTable("passes")
    .set({ valid_until: new Date(0) })
    .where("id", "=", expired.id)
    .execute();
  const revoked = await createMember(site);
  await site.admin("DELETE", `/api/admin/passes/${revoked.id}`);
  const left = await createMember(site);
  await site.leave(left.cookie);
  const member = await createMember(site);
  const strangers: Record<string, Record<string, string>> = {
    nobody: {},
    "a forged cookie": { cookie: `member=${"A".repeat(43)}; member_until=${Date.now() + dayMs}` },
    "a foreign visitor cookie": { cookie: "visitor=00000000-0000-7000-8000-000000000000.x" },
    "an expired pass": { cookie: expired.cookie },
    "a revoked pass": { cookie: revoked.cookie },
  };
  const oddities: Record<string, Record<string, string>> = {
    "a malformed cookie": { cookie: "member=' or 1=1 --; member=%00" },
    "a device that has left": { cookie: left.cookie },
    "a code in place of a cookie": { cookie: `member=${left.code}` },
  };
  return { strangers, oddities, member };
}

/** Returns the spellings and paths under which a file could leak. */
export function pathsOf(video: VideoRow, other: VideoRow, name: string, host: string): string[] {
  const folder = video.media_token;
  const path = `/media/v/${folder}/${name}`;
  return [
    path,
    `${path}?pass=1`,
    `${path}?ticket=x`,
    `${path}/`,
    path.replace("/media/", "/MEDIA/"),
    path.replace("/v/", "/V/"),
    path.replace("/v/", "/v/./"),
    path.replace("/v/", "//v/"),
    path.replace("/v/", "/%76/"),
    path.replace("/v/", "%2Fv%2F"),
    path.replace("/media/", "/media/ticket/x/"),
    path.replace("/media/", "/media/ticket/x.y/"),
    path.replace("/media/v/", "/media/private/"),
    path.replace("/media/", "/media/public/../"),
    path.replace("/media/", "/media/published/"),
    path.replace("/media/", "/_media/"),
    path.replace("/media/", "/media/../_media/"),
    path.replace("/media/", "/de/media/"),
    path.replace("/media/", "/assets/../media/"),
    path.replace(folder, `${other.media_token}/../${folder}`),
    path.replace(folder, folder.toUpperCase()),
    ...spellingsOf(path, host).map(({ target }) => target),
  ];
}

/** Fails if a response contains content or an address of a file that needs a pass. */
export function expectNothing(
  text: string,
  { media_token: folder }: VideoRow,
  where: string,
): void {
  const address = closed.find((name) => text.includes(`${folder}/${name}`));
  const found = { where, hasBytes: text.includes(mark), address };
  expect(found).toEqual({ where, hasBytes: false, address: undefined });
}

/**
 * Returns addresses of pages, lists and API calls about two videos for members and a free one.
 * @param brief is too short for a preview.
 */
export function listsOf(
  video: VideoRow,
  brief: VideoRow,
  free: VideoRow,
  origin: string,
): string[] {
  const { id, slug } = video;
  const captions = `/media/v/${video.media_token}/captions-a/en.vtt`;
  return [
    ...["/", "/home", "/feed", `/feed/${slug}`, `/feed/${brief.slug}`, "/trending"],
    ...[`/search?search=${slug}`, `/video/${slug}`, `/video/old-${slug}`, `/de/video/${slug}`],
    ...[`/video/${brief.slug}`, `/VIDEO/${slug}`, `/embed/${slug}`, `/de/embed/${brief.slug}`],
    ...[`/embed/${id}`, "/categories/harbours", "/api/videos", `/api/videos?search=${slug}`],
    ...["/api/videos?search=withheld", "/api/feed", "/api/videos?sort=trending"],
    ...["/api/videos?category=harbours", `/api/videos/${slug}`, `/api/videos/${id}`],
    ...[`/api/videos/${id.toUpperCase()}`, `/api/videos/old-${slug}`, `/api/videos/${brief.slug}`],
    ...[`/api/videos/${free.slug}/related`, `/api/videos/${slug}/related`],
    ...["midroll", "why", "comments", "transcript", "chapters", "replays"].map(
      (part) => `/api/videos/${slug}/${part}`,
    ),
    ...["/api/search/suggest?search=har", "/api/favorites", "/api/trending/stats"],
    ...["/feed.rss", "/feed.rss?kind=video", "/de/feed.rss", "/categories/harbours/feed.rss"],
    ...["/sitemap.xml", `/api/oembed?url=${origin}/video/${slug}`],
    ...[`/api/oembed?format=xml&url=${origin}/video/${brief.slug}`],
    ...[`/api/members/videos/${slug}`, `/api/members/videos/${id}`, `/api/private/${slug}`],
    ...["/api/categories/harbours", "/pass", "/podcast.rss", `/video/${slug}/transcript`],
    ...["/feed.podcast.rss", `/api/members/videos/${slug}/transcript`],
    ...[`/api/members/videos/${brief.slug}/transcript?from=0`],
    ...[`/api/videos/${slug}/transcript?language=en&from=0`],
    ...[`/api/videos/${brief.slug}/transcript`, `/api/videos/${slug}/transcript?track=${captions}`],
    ...[`/embed/${free.slug}`, `/api/videos/${free.slug}`, `/video/${free.slug}`],
    ...["/api/search?q=withheld", "/api/videos?category=harbours&sort=part"],
    ...["/categories/harbours/feed.rss?kind=video", "/categories/harbours/podcast.rss"],
    ...["/api/admin/videos", `/api/admin/videos/${id}/files`, `/api/admin/videos/${id}/original`],
    ...[`/api/videos/${id}/captions`, "/library"],
  ];
}

/**
 * Requests targets, several at a time, and fails if a response contains something for members.
 * @param ask requests a target and returns the headers and the body as text.
 */
export async function attack(
  video: VideoRow,
  targets: readonly string[],
  who: string,
  ask: (target: string) => Promise<string>,
): Promise<void> {
  const atOnce = 16;
  for (let at = 0; at < targets.length; at += atOnce) {
    const some = targets.slice(at, at + atOnce);
    const received = await Promise.all(some.map(ask));
    for (const [index, text] of received.entries()) {
      expectNothing(text, video, `${some[index]} for ${who}`);
      expect(text).not.toContain("X-Amz-Signature");
    }
  }
}

/** Returns whether the response depends on the pass. All others are the same for everyone. */
export const isOfOneVisitor = (path: string): boolean =>
  /^\/api\/(?:feed|members)|^\/pass/.test(path);

import { posix } from "node:path";
import { z } from "zod";
import type { Visibility } from "#contract/videos/videos.ts";
import { AppError } from "#server/lib/app-error.ts";
import { readSmall, resolveInside, type SourceFiles } from "./source-files.ts";
import { cleanItem, type FoundItem, type ReaderOptions, type SourceEntry } from "./source-item.ts";

const maxListBytes = 512 * 1024 * 1024;

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);
const texts = z.array(z.string()).nullish().catch(null);

/** The part of a video that is used. A field of an unexpected type counts as missing. */
const video = z.object({
  uuid: z.uuid(),
  url: text,
  name: text,
  publishedAt: text,
  originallyPublishedAt: text,
  createdAt: text,
  description: text,
  category: number,
  tags: texts,
  privacy: number,
  nsfw: z.boolean().nullish().catch(null),
  views: number,
  likes: number,
  duration: number,
  isLive: z.boolean().nullish().catch(null),
  channel: z.object({ name: text, displayName: text }).nullish().catch(null),
  captions: z
    .array(z.object({ language: z.string(), automaticallyGenerated: z.boolean().nullish() }))
    .nullish()
    .catch(null),
  chapters: z
    .array(z.object({ timecode: z.number(), title: z.string() }))
    .nullish()
    .catch(null),
  source: z.object({ height: number, resolution: number }).nullish().catch(null),
  archiveFiles: z
    .object({
      videoFile: text,
      thumbnail: text,
      captions: z.record(z.string(), z.string()).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});
type PeerTubeVideo = z.infer<typeof video>;

const playlistFile = z.object({
  playlists: z.array(
    z.object({
      displayName: z.string(),
      elements: z
        .array(z.object({ videoUrl: z.string() }))
        .nullish()
        .catch(null),
    }),
  ),
});

/** Categories by number. Plugins may add others. */
const categories = (
  "Music,Films,Vehicles,Art,Sports,Travels,Gaming,People,Comedy,Entertainment,News & Politics," +
  "How To,Education,Activism,Science & Technology,Animals,Kids,Food"
).split(",");

const visibilities: Readonly<Record<number, Visibility>> = { 1: "public", 2: "unlisted" };

/** Path of the list of videos of an export, or null if there is none. */
export const findPeerTubeList = ({ files }: SourceFiles): string | null =>
  ["peertube/videos.json", "videos.json"].find((path) => files.has(path)) ??
  [...files.keys()].find((path) => /^[^/]+\/peertube\/videos\.json$/.test(path)) ??
  null;

/** Reads the export that users of PeerTube 7 and later can request, as a zip archive or unpacked. */
export async function* readPeerTube(
  source: SourceFiles,
  options: ReaderOptions,
): AsyncGenerator<SourceEntry> {
  const list = findPeerTubeList(source);
  if (list === null) throw new AppError("invalid", "There is no videos.json of a PeerTube export.");
  const folder = posix.dirname(list);
  const read = z.object({ videos: z.array(z.unknown()) }).safeParse(await parse(source, list));
  if (!read.success) throw new AppError("invalid", `${list}: contains no list of videos.`);
  const playlists = await readPlaylists(source, posix.join(folder, "video-playlists.json"));
  for (const [at, each] of read.data.videos.entries()) {
    const found = video.safeParse(each);
    const path = `${list} video ${at + 1}`;
    if (!found.success) {
      yield { path, reason: "it has no valid uuid" };
      continue;
    }
    try {
      yield cleanItem(itemOf(source, folder, found.data, playlists, options), options.now);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      yield { path: found.data.name ?? path, reason: error.message };
    }
  }
}

async function parse(source: SourceFiles, path: string): Promise<unknown> {
  try {
    return JSON.parse((await readSmall(source, path, maxListBytes)).toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AppError("invalid", `${path}: not valid JSON.`, { cause: error });
  }
}

/** Returns the places in playlists by the address of the video. */
async function readPlaylists(
  source: SourceFiles,
  path: string,
): Promise<Map<string, FoundItem["playlists"]>> {
  const places = new Map<string, NonNullable<FoundItem["playlists"]>>();
  if (!source.files.has(path)) return places;
  const read = playlistFile.safeParse(await parse(source, path).catch(() => null));
  if (!read.success) return places;
  for (const { displayName: name, elements } of read.data.playlists) {
    // Every account has this one, and it is nobody's selection.
    if (name === "Watch later") continue;
    for (const [place, { videoUrl }] of (elements ?? []).entries()) {
      places.set(videoUrl, [...(places.get(videoUrl) ?? []), { name, place: place + 1 }]);
    }
  }
  return places;
}

function itemOf(
  source: SourceFiles,
  folder: string,
  found: PeerTubeVideo,
  playlists: Map<string, FoundItem["playlists"]>,
  { actorsFrom }: ReaderOptions,
): FoundItem {
  const { archiveFiles: archive, uuid } = found;
  if (archive?.videoFile == null) {
    const why = found.isLive === true ? "a live stream" : "exported without its file";
    throw new AppError("invalid", `${why}, so there is nothing to import`);
  }
  const notes: string[] = [];
  const file = source.files.get(resolveInside(folder, archive.videoFile));
  if (file === undefined) {
    throw new AppError("not_found", `its file ${archive.videoFile} is missing`);
  }
  /** Returns a sidecar if it is in the archive, because the video matters more. */
  const sidecar = (path: string, what: string): string | null => {
    const inside = resolveInside(folder, path);
    if (source.files.has(inside)) return inside;
    notes.push(`${what} missing`);
    return null;
  };
  const category = found.category == null ? undefined : categories[found.category - 1];
  if (found.category != null && category === undefined) {
    notes.push(`unknown category ${found.category} left out`);
  }
  const automatic = new Set(
    (found.captions ?? []).flatMap(({ language, automaticallyGenerated }) =>
      automaticallyGenerated === true ? [language] : [],
    ),
  );
  const channel = found.channel?.displayName ?? found.channel?.name;
  const published = found.publishedAt ?? found.originallyPublishedAt ?? found.createdAt;
  const thumbnail = archive.thumbnail == null ? null : sidecar(archive.thumbnail, "thumbnail");
  return {
    source: "peertube",
    sourceId: uuid,
    file: file.path,
    sizeBytes: file.sizeBytes,
    durationS: found.duration,
    height: found.source?.height ?? found.source?.resolution,
    title: found.name,
    description: found.description,
    publishedAt: published == null ? null : new Date(published),
    visibility: visibilities[found.privacy ?? 0] ?? "private",
    isSensitive: found.nsfw === true,
    labels: {
      tags: found.tags ?? [],
      categories: category === undefined ? [] : [category],
      actors: actorsFrom === "channel" && channel != null ? [channel] : [],
    },
    chapters: (found.chapters ?? []).map(({ timecode: startS, title }) => ({ startS, title })),
    captions: Object.entries(archive.captions ?? {}).flatMap(([language, given]) => {
      const path = sidecar(given, `captions in ${language}`);
      return path === null ? [] : [{ path, language, isAutomatic: automatic.has(language) }];
    }),
    thumbnail,
    views: found.views,
    likes: found.likes,
    oldAddresses: addressesOf(uuid),
    playlists: playlists.get(found.url ?? "") ?? [],
    notes,
  };
}

const base58 = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
const shortLength = 22;

/** Returns the short form of a UUID in PeerTube's addresses: base 58, always 22 characters. */
export function shortUuid(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll("-", "")}`);
  let short = "";
  while (rest > 0n) {
    short = `${base58[Number(rest % 58n)] ?? ""}${short}`;
    rest /= 58n;
  }
  return short.padStart(shortLength, "1");
}

/** Returns all addresses at which PeerTube shows or embeds a video. */
const addressesOf = (uuid: string): string[] =>
  [shortUuid(uuid), uuid.toLowerCase()].flatMap((id) => [
    `/w/${id}`,
    `/videos/watch/${id}`,
    `/videos/embed/${id}`,
  ]);

import { posix } from "node:path";
import { z } from "zod";
import type { Visibility } from "#contract/videos/videos.ts";
import { AppError } from "#server/lib/app-error.ts";
import { readSmall, resolveInside, type RefusedFile, type SourceFiles } from "./source-files.ts";
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
  channel: z.object({ name: text }).nullish().catch(null),
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

const playlist = z.object({
  displayName: z.string(),
  privacy: number,
  type: number,
  elements: z
    .array(z.object({ videoUrl: z.string() }))
    .nullish()
    .catch(null),
});
const playlistFile = z
  .object({ videoPlaylists: z.array(playlist) })
  .transform(({ videoPlaylists }) => videoPlaylists);
const privatePlaylist = 3;
/** Type of the playlist "Watch later", which every account has. */
const watchLater = 2;

const channelFile = z
  .object({ channels: z.array(z.object({ name: z.string(), displayName: z.string() })) })
  .transform(({ channels }) => channels);

type InPlaylists = Required<Pick<FoundItem, "playlists" | "notes">>;

/** Facts about the videos from the other files of the export. */
interface OtherFiles {
  /** By the address of the video. */
  playlists: ReadonlyMap<string, InPlaylists>;
  /** Names of channels as shown, by the names in their addresses. */
  channels: ReadonlyMap<string, string>;
}

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
  const refused: RefusedFile[] = [];
  const readOther = async <T>(name: string, schema: z.ZodType<T[]>): Promise<T[]> => {
    const path = posix.join(folder, name);
    if (!source.files.has(path)) return [];
    const other = schema.safeParse(await parse(source, path).catch(() => null));
    if (!other.success) refused.push({ path, reason: "can't be read, so it isn't used" });
    return other.data ?? [];
  };
  const channels = await readOther("channels.json", channelFile);
  const otherFiles = {
    playlists: placesIn(await readOther("video-playlists.json", playlistFile)),
    channels: new Map(channels.map(({ name, displayName }) => [name, displayName])),
  };
  yield* refused;
  for (const [at, each] of read.data.videos.entries()) {
    const found = video.safeParse(each);
    const path = `${list} video ${at + 1}`;
    if (!found.success) {
      yield { path, reason: "it has no valid uuid" };
      continue;
    }
    try {
      yield cleanItem(itemOf(source, folder, found.data, otherFiles, options), options.now);
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

/** Returns the places of videos in playlists that everybody may see. */
function placesIn(lists: readonly z.infer<typeof playlist>[]): Map<string, InPlaylists> {
  const places = new Map<string, InPlaylists>();
  for (const { displayName: name, elements, privacy, type } of lists) {
    if (type === watchLater) continue;
    for (const [at, { videoUrl }] of (elements ?? []).entries()) {
      const found = places.get(videoUrl) ?? { playlists: [], notes: [] };
      if (privacy === privatePlaylist) found.notes.push(`private playlist "${name}" left out`);
      else found.playlists.push({ name, place: at + 1 });
      places.set(videoUrl, found);
    }
  }
  return places;
}

function itemOf(
  source: SourceFiles,
  folder: string,
  found: PeerTubeVideo,
  otherFiles: OtherFiles,
  { actorsFrom }: ReaderOptions,
): FoundItem {
  const { archiveFiles: archive, uuid } = found;
  if (archive?.videoFile == null) {
    const why = found.isLive === true ? "a live stream" : "exported without its file";
    throw new AppError("invalid", `${why}, so there is nothing to import`);
  }
  const inPlaylists = otherFiles.playlists.get(found.url ?? "");
  const notes = [...(inPlaylists?.notes ?? [])];
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
  const channelName = found.channel?.name ?? "";
  const channel = otherFiles.channels.get(channelName) ?? channelName;
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
      actors: actorsFrom === "channel" ? [channel] : [],
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
    playlists: inPlaylists?.playlists ?? [],
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

import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";

export interface KeptVideo {
  slug: string;
  title: string;
  thumbnail: string | null;
  /** True if the picture is blurred. */
  isSensitive?: boolean;
  durationS: number;
  atMs: number;
}

export interface Follow {
  kind: LabelKind;
  slug: string;
  name: string;
}

export interface Playlist {
  id: string;
  name: string;
  /** In playback order. */
  videos: readonly KeptVideo[];
}

/** Visitor library, stored only in this browser. Latest entries come first. */
export interface LibraryData {
  history: readonly KeptVideo[];
  later: readonly KeptVideo[];
  follows: readonly Follow[];
  playlists: readonly Playlist[];
}

export const emptyLibrary: LibraryData = {
  history: [],
  later: [],
  follows: [],
  playlists: [],
};
export const keptMax = 200;
export const playlistsMax = 20;
export const playlistNameMax = 80;

const fieldsOf = (value: unknown): Map<string, unknown> =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);

function readList<Item>(value: unknown, read: (fields: Map<string, unknown>) => Item | null) {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, keptMax)
    .map((item) => read(fieldsOf(item)))
    .filter((item): item is Item => item !== null);
}

const textOf = (value: unknown, max = 500) =>
  typeof value === "string" ? value.slice(0, max).toWellFormed() : null;

function readVideo(fields: Map<string, unknown>): KeptVideo | null {
  const [slug, title] = [textOf(fields.get("slug")), textOf(fields.get("title"))];
  const thumbnail = textOf(fields.get("thumbnail"));
  if (!slug || title === null) return null;
  return {
    slug,
    title,
    // Only allows URLs of this site, so that an imported file can't make the browser request
    // another server.
    thumbnail: thumbnail?.startsWith("/media/") === true ? thumbnail : null,
    ...(fields.get("isSensitive") === true ? { isSensitive: true } : {}),
    durationS: Number(fields.get("durationS")) || 0,
    atMs: Number(fields.get("atMs")) || 0,
  };
}

function readFollow(fields: Map<string, unknown>): Follow | null {
  const [slug, name] = [textOf(fields.get("slug")), textOf(fields.get("name"))];
  const kind = labelKinds.find((each) => each === fields.get("kind"));
  return !slug || name === null || kind === undefined ? null : { kind, slug, name };
}

function readPlaylist(fields: Map<string, unknown>): Playlist | null {
  const [id, name] = [textOf(fields.get("id")), textOf(fields.get("name"), playlistNameMax)];
  if (!id || name === null) return null;
  const videos = readList(fields.get("videos"), readVideo);
  return { id, name, videos };
}

/** Reads stored, exported or transferred data. Skips invalid entries. */
export function parseLibrary(text: string | null): LibraryData {
  try {
    const fields = fieldsOf(JSON.parse(text ?? "null"));
    return {
      history: readList(fields.get("history"), readVideo),
      later: readList(fields.get("later"), readVideo),
      follows: readList(fields.get("follows"), readFollow),
      playlists: readList(fields.get("playlists"), readPlaylist).slice(0, playlistsMax),
    };
  } catch {
    return emptyLibrary;
  }
}

const withFirst = <Item>(
  items: readonly Item[],
  first: Item,
  isSame: (item: Item) => boolean,
): Item[] => [first, ...items.filter((item) => !isSame(item))].slice(0, keptMax);

export const isSameFollow = (a: Follow, b: Follow) => a.kind === b.kind && a.slug === b.slug;

export function addVideo(videos: readonly KeptVideo[], video: KeptVideo): KeptVideo[] {
  return withFirst(videos, video, ({ slug }) => slug === video.slug);
}

/**
 * Changes a video, or a label of this kind, whose slug was `from`, in any case. Removes any other
 * item that has the new slug.
 */
export function renameIn<Item extends { slug: string; kind?: LabelKind }>(
  items: readonly Item[],
  from: string,
  to: { slug: string; name?: string },
  kind?: LabelKind,
): readonly Item[] {
  const isAt = (item: Item, slug: string) => item.slug === slug && item.kind === kind;
  const old = from.toLowerCase();
  if (old === to.slug || !items.some((item) => isAt(item, old))) return items;
  return items
    .filter((item) => !isAt(item, to.slug))
    .map((item) => (isAt(item, old) ? { ...item, ...to } : item));
}

export function addFollow(follows: readonly Follow[], follow: Follow): Follow[] {
  return withFirst(follows, follow, (other) => isSameFollow(other, follow));
}

/** Adds entries up to the maximum. Existing entries always stay. */
function joined<Item>(
  own: readonly Item[],
  others: readonly Item[],
  keyOf: (item: Item) => string,
  max: number,
): Item[] {
  const items = new Map(own.map((item) => [keyOf(item), item]));
  for (const other of others) {
    if (items.size < max && !items.has(keyOf(other))) items.set(keyOf(other), other);
  }
  return [...items.values()];
}

const slugOf = ({ slug }: KeptVideo) => slug;
const newestFirst = (a: KeptVideo, b: KeptVideo) => b.atMs - a.atMs;

/** Merges two lists. If a video is in both, the later entry is used. */
function mergeVideos(own: readonly KeptVideo[], others: readonly KeptVideo[]): KeptVideo[] {
  const latest = new Map<string, KeptVideo>();
  for (const video of [...own, ...others]) {
    if (video.atMs > (latest.get(video.slug)?.atMs ?? -Infinity)) latest.set(video.slug, video);
  }
  return joined(own, others.toSorted(newestFirst), slugOf, keptMax)
    .map((video) => latest.get(video.slug) ?? video)
    .toSorted(newestFirst);
}

/** Merges playlists. If both have a list with the same id, appends the missing videos. */
function mergePlaylists(own: readonly Playlist[], others: readonly Playlist[]): Playlist[] {
  const lists = joined(own, others, ({ id }) => id, playlistsMax);
  return lists.map((list) => {
    const added = others.find(({ id }) => id === list.id)?.videos ?? [];
    return { ...list, videos: joined(list.videos, added, slugOf, keptMax) };
  });
}

/** Merges the libraries of two browsers. */
export function mergeLibraries(own: LibraryData, other: LibraryData): LibraryData {
  return {
    history: mergeVideos(own.history, other.history),
    later: mergeVideos(own.later, other.later),
    playlists: mergePlaylists(own.playlists, other.playlists),
    follows: joined(own.follows, other.follows, ({ kind, slug }) => `${kind}/${slug}`, keptMax),
  };
}

import { taxonomyKinds, type TaxonomyKind } from "../../../contract/taxonomy.ts";

export interface KeptVideo {
  slug: string;
  title: string;
  thumbnail: string | null;
  /** Its picture is blurred. */
  isSensitive?: boolean;
  durationS: number;
  atMs: number;
}

export interface Follow {
  kind: TaxonomyKind;
  slug: string;
  name: string;
}

export interface Playlist {
  id: string;
  name: string;
  /** In the order of play. */
  videos: readonly KeptVideo[];
}

/** What a visitor without an account keeps, in this browser only. The latest of each come first. */
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

const textOf = (value: unknown) => (typeof value === "string" ? value.slice(0, 500) : null);

function readVideo(fields: Map<string, unknown>): KeptVideo | null {
  const [slug, title] = [textOf(fields.get("slug")), textOf(fields.get("title"))];
  const thumbnail = textOf(fields.get("thumbnail"));
  if (slug === null || title === null) return null;
  return {
    slug,
    title,
    // An address of this site: a file or another device must not name a server to be asked.
    thumbnail: thumbnail?.startsWith("/media/") === true ? thumbnail : null,
    ...(fields.get("isSensitive") === true ? { isSensitive: true } : {}),
    durationS: Number(fields.get("durationS")) || 0,
    atMs: Number(fields.get("atMs")) || 0,
  };
}

function readFollow(fields: Map<string, unknown>): Follow | null {
  const [slug, name] = [textOf(fields.get("slug")), textOf(fields.get("name"))];
  const kind = taxonomyKinds.find((each) => each === fields.get("kind"));
  return slug === null || name === null || kind === undefined ? null : { kind, slug, name };
}

function readPlaylist(fields: Map<string, unknown>): Playlist | null {
  const [id, name] = [textOf(fields.get("id")), textOf(fields.get("name"))];
  if (id === null || name === null) return null;
  const videos = readList(fields.get("videos"), readVideo);
  return { id, name: name.slice(0, playlistNameMax), videos };
}

/** Reads what was stored, exported or moved. What is not understood is left out. */
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

export function addFollow(follows: readonly Follow[], follow: Follow): Follow[] {
  return withFirst(follows, follow, (other) => isSameFollow(other, follow));
}

const mergeVideos = (own: readonly KeptVideo[], other: readonly KeptVideo[]): KeptVideo[] => {
  const known = new Map(other.map((video) => [video.slug, video]));
  for (const video of own) {
    if (video.atMs >= (known.get(video.slug)?.atMs ?? -1)) known.set(video.slug, video);
  }
  return [...known.values()].toSorted((a, b) => b.atMs - a.atMs).slice(0, keptMax);
};

/** A list with the same id was one list once: it gets what it lacks at its end. */
function mergePlaylists(own: readonly Playlist[], others: readonly Playlist[]): Playlist[] {
  const otherById = new Map(others.map((other) => [other.id, other]));
  const merged = own.map((list) => {
    const added = otherById
      .get(list.id)
      ?.videos.filter(({ slug }) => !list.videos.some((video) => video.slug === slug));
    return added === undefined
      ? list
      : { ...list, videos: [...list.videos, ...added].slice(0, keptMax) };
  });
  const known = new Set(own.map(({ id }) => id));
  return [...merged, ...others.filter(({ id }) => !known.has(id))].slice(0, playlistsMax);
}

/** What two browsers keep together. */
export function mergeLibraries(own: LibraryData, other: LibraryData): LibraryData {
  return {
    history: mergeVideos(own.history, other.history),
    later: mergeVideos(own.later, other.later),
    playlists: mergePlaylists(own.playlists, other.playlists),
    follows: other.follows.reduceRight((all, follow) => addFollow(all, follow), [...own.follows]),
  };
}

import { posix } from "node:path";
import { titleFromName } from "#contract/videos/file-title.ts";
import { decodeText } from "#server/lib/captions/read-captions.ts";
import { readSmall, type SourceFile, type SourceFiles } from "./source-files.ts";
import {
  cleanItem,
  usableDate,
  type FoundItem,
  type ReaderOptions,
  type SourceEntry,
} from "./source-item.ts";
import {
  createSidecars,
  isStreamOfVideo,
  isVideoFile,
  streamReason,
  type Sidecars,
} from "./sidecars.ts";

const maxTextBytes = 1024 * 1024;

/** Reads a plain folder. Its sub-folders become categories, and files beside a video belong to it. */
export async function* readFolder(
  source: SourceFiles,
  { actorsFrom, now }: ReaderOptions,
): AsyncGenerator<SourceEntry> {
  const sidecars = createSidecars(source.files);
  for (const file of [...source.files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (!isVideoFile(file.path)) continue;
    if (isStreamOfVideo(file.path)) {
      yield { path: file.path, reason: streamReason };
      continue;
    }
    yield cleanItem(await readVideoFile(source, file, { sidecars, actorsFrom, now }), now);
  }
}

/** Path of a video without its extension, with which the names of its sidecars begin. */
export const baseOf = (path: string): string => path.slice(0, -posix.extname(path).length);

/**
 * Returns what a video file and the files beside it say about the video.
 * @param options.isWatched true to use only the first folder as a category, and to leave the
 * publication date open instead of using the file's time.
 */
export async function readVideoFile(
  source: SourceFiles,
  file: SourceFile,
  options: ReaderOptions & { sidecars: Sidecars; isWatched?: boolean },
): Promise<FoundItem> {
  const { sidecars, actorsFrom, now, isWatched = false } = options;
  const base = baseOf(file.path);
  const notes: string[] = [];
  const readText = async (path: string | null): Promise<string> => {
    if (path === null) return "";
    try {
      const bytes = await readSmall(source, path, maxTextBytes);
      return decodeText(bytes, null).text.replace(/^\uFEFF/, "");
    } catch {
      notes.push(`${posix.basename(path)} can't be read`);
      return "";
    }
  };
  const about = await readText(sidecars.text(base, "txt"));
  const facts = readNfo(await readText(sidecars.text(base, "nfo")));
  const folders = posix
    .dirname(file.path)
    .split("/")
    .filter((name) => name !== "." && name !== "");
  return {
    source: "folder",
    // A file with the same name and another size is another video.
    sourceId: `${file.path} (${file.sizeBytes} bytes)`,
    file: file.path,
    sizeBytes: file.sizeBytes,
    title: facts.title ?? titleFromName(posix.basename(file.path)),
    description: about === "" ? facts.plot : about,
    publishedAt: usableDate(facts.date, now, notes) ?? (isWatched ? null : file.modifiedAt),
    visibility: "public",
    isSensitive: facts.isAdult,
    labels: {
      categories: [...(isWatched ? folders.slice(0, 1) : folders), ...facts.genres],
      tags: facts.tags,
      actors: actorsFrom === "cast" ? facts.actors : [],
    },
    captions: sidecars.captions(base).map((caption) => ({ ...caption, isAutomatic: false })),
    thumbnail: sidecars.picture(base),
    notes,
  };
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decodeXml = (text: string): string =>
  text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, inner: string) => inner.replaceAll("&", "&amp;"))
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, ...found: unknown[]) => {
      const [decimal, hex, name] = found;
      if (typeof name === "string") return entities[name.toLowerCase()] ?? whole;
      const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    })
    .trim();

/** Reads the fields that media centres write into `.nfo` files. Other content is ignored. */
function readNfo(xml: string) {
  const all = (name: string, within = xml): string[] =>
    [...within.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "gi"))]
      .map(([, inner = ""]) => decodeXml(inner))
      .filter((text) => text !== "");
  const [day] = [...all("premiered"), ...all("aired"), ...all("releasedate")];
  const date = /^\d{4}-\d{2}-\d{2}$/.test(day ?? "") ? new Date(`${day}T12:00:00Z`) : null;
  const [rating = ""] = all("mpaa");
  return {
    title: all("title")[0] ?? null,
    plot: all("plot")[0] ?? null,
    date,
    genres: all("genre"),
    tags: all("tag"),
    actors: all("actor").flatMap((actor) => all("name", actor)),
    isAdult: /NC[- ]?17|XXX|\bX\b|(?<!\d)18(?!\d)/i.test(rating),
  };
}

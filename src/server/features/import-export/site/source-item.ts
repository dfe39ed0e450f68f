import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import type { ActorsFrom } from "#contract/videos/site-imports.ts";
import type { CaptionSuffix } from "#contract/videos/track-names.ts";
import { limits } from "#contract/limits.ts";
import { captionLimits } from "#contract/videos/captions.ts";
import { cleanName, hasVisibleText, nameSeparator, withoutTricks } from "#contract/text.ts";
import type { Chapter, Visibility } from "#contract/videos/videos.ts";
import { sha256 } from "#server/lib/ids.ts";
import { cleanTitle } from "#server/lib/chapters.ts";
import { titleFromName } from "#contract/videos/file-title.ts";
import type { RefusedFile } from "./source-files.ts";

export interface SourceCaption extends Partial<CaptionSuffix> {
  path: string;
  /** As the source names it. */
  language: string;
  /** Track name given by its creator. */
  name?: string | undefined;
  isAutomatic: boolean;
}

/** One video of another site, cleaned up so that every part of it can be stored here. */
export interface SourceItem {
  /** Name of the platform, and the video's ID there. Together they are unique. */
  source: string;
  sourceId: string;
  /** Path of the video file in the source. */
  file: string;
  sizeBytes: number;
  durationS: number | null;
  height: number | null;
  title: string;
  description: string | null;
  publishedAt: Date | null;
  visibility: Visibility;
  isSensitive: boolean;
  labels: Record<LabelKind, string[]>;
  chapters: Chapter[];
  captions: SourceCaption[];
  thumbnail: string | null;
  views: number;
  likes: number;
  /** Paths that led to the video on the other site, each with its query. */
  oldAddresses: string[];
  /** Names of playlists that contain it, with its place in them. */
  playlists: { name: string; place: number }[];
  /** What was repaired. */
  notes: string[];
}

/** Video as a reader finds it, before anything is checked. */
export interface FoundItem extends Pick<
  SourceItem,
  "source" | "sourceId" | "file" | "sizeBytes" | "visibility" | "isSensitive"
> {
  title: string | null | undefined;
  description?: string | null | undefined;
  publishedAt?: Date | null | undefined;
  labels?: Partial<Record<LabelKind, readonly string[]>>;
  chapters?: readonly Chapter[];
  captions?: SourceCaption[];
  thumbnail?: string | null;
  views?: number | null | undefined;
  likes?: number | null | undefined;
  durationS?: number | null | undefined;
  height?: number | null | undefined;
  oldAddresses?: string[];
  playlists?: { name: string; place: number }[];
  notes?: string[];
}

export interface ReaderOptions {
  /** Which names become actors; null for none. */
  actorsFrom: ActorsFrom | null;
  now: Date;
}

export type SourceEntry = SourceItem | RefusedFile;

export const isRefused = (entry: SourceEntry): entry is RefusedFile => "reason" in entry;

/** No video site existed earlier, so an earlier date is a default or an error. */
const firstDateMs = Date.UTC(1990, 0);
const dayMs = 24 * 3_600_000;
const maxCount = 1e12;
const maxIdLength = 500;

/** Cuts a text without dividing a character. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter().segment(text)) {
    if (index + segment.length > max) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd().toWellFormed();
}

/** Names of labels can't contain what separates them in forms. */
const withoutCommas = (name: string) => cleanName(name.split(nameSeparator).join(" "));

/** Makes a video fit the limits of this site, and notes each repair. */
export function cleanItem(found: FoundItem, now: Date): SourceItem {
  const notes = [...(found.notes ?? [])];
  return {
    ...found,
    sourceId: idOf(cleanName(found.sourceId)),
    title: titleOf(found, notes),
    description: descriptionOf(found.description ?? "", notes),
    publishedAt: usableDate(found.publishedAt ?? null, now, notes),
    labels: labelsOf(found.labels ?? {}, notes),
    chapters: (found.chapters ?? [])
      .map(({ startS, title }) => ({ startS, title: cleanTitle(title) }))
      .filter(({ startS, title }) => Number.isFinite(startS) && startS >= 0 && title !== "")
      .toSorted((a, b) => a.startS - b.startS),
    captions: (found.captions ?? []).map(({ name, ...caption }) => {
      const clean = cut(cleanName(name ?? ""), captionLimits.maxNameLength);
      return hasVisibleText(clean) ? { ...caption, name: clean } : caption;
    }),
    thumbnail: found.thumbnail ?? null,
    views: countOf(found.views),
    likes: countOf(found.likes),
    durationS: found.durationS ?? null,
    height: found.height ?? null,
    oldAddresses: found.oldAddresses ?? [],
    playlists: (found.playlists ?? []).flatMap(({ name, place }) => {
      const clean = cut(withoutCommas(name), limits.nameMax);
      return hasVisibleText(clean) ? [{ name: clean, place }] : [];
    }),
    notes,
  };
}

/** Ends a long ID with a hash, because other IDs may have the same beginning. */
const idOf = (id: string): string =>
  id.length <= maxIdLength ? id : `${cut(id, maxIdLength - 65)} ${sha256(id).toString("hex")}`;

const countOf = (given: number | null | undefined): number =>
  given == null || !(given > 0) ? 0 : Math.min(Math.floor(given), maxCount);

function titleOf({ title, file, sourceId }: FoundItem, notes: string[]): string {
  const clean = cleanName(title ?? "");
  if (hasVisibleText(clean)) {
    if (clean.length > limits.titleMax) notes.push(`title cut to ${limits.titleMax} characters`);
    return cut(clean, limits.titleMax);
  }
  notes.push("no title, so the name of the file is used");
  const named = cleanName(titleFromName(file.split("/").at(-1) ?? ""));
  return hasVisibleText(named) ? cut(named, limits.titleMax) : cut(sourceId, limits.titleMax);
}

function descriptionOf(text: string, notes: string[]): string | null {
  const clean = withoutTricks(text).trim();
  if (clean.length > limits.descriptionMax) {
    notes.push(`description cut to ${limits.descriptionMax} characters`);
  }
  return hasVisibleText(clean) ? cut(clean, limits.descriptionMax) : null;
}

/** Returns the date, or null with a note if a video can't have it. */
export function usableDate(date: Date | null, now: Date, notes: string[]): Date | null {
  if (date === null) return null;
  const ms = date.getTime();
  if (ms >= firstDateMs && ms <= now.getTime() + dayMs) return date;
  const year = Number.isNaN(ms) ? "unreadable" : String(date.getUTCFullYear());
  notes.push(`publication date not used (${year})`);
  return null;
}

function labelsOf(
  given: NonNullable<FoundItem["labels"]>,
  notes: string[],
): Record<LabelKind, string[]> {
  const labels: Record<LabelKind, string[]> = { categories: [], tags: [], actors: [] };
  for (const kind of labelKinds) {
    const names = new Map<string, string>();
    for (const name of given[kind] ?? []) {
      const clean = withoutCommas(name);
      if (clean.length > limits.nameMax) notes.push(`long name in ${kind} cut`);
      if (hasVisibleText(clean)) names.set(clean, cut(clean, limits.nameMax));
    }
    const list = [...names.values()];
    if (list.length > limits.labelsPerVideoMax) {
      notes.push(`only the first ${limits.labelsPerVideoMax} of ${list.length} ${kind} are used`);
    }
    labels[kind] = list.slice(0, limits.labelsPerVideoMax);
  }
  return labels;
}

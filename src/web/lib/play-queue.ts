import { readStoredJson, writeStored } from "./device-storage.ts";

/** List that plays through once. It belongs to one tab and survives a reload. */
export interface PlayQueue {
  name: string;
  /** Page that showed the list. */
  href: string;
  videos: readonly QueuedVideo[];
}

export interface QueuedVideo {
  slug: string;
  title: string;
  thumbnail: string | null;
}

/** Value of the query parameter `list` for the queue. Ids of playlists contain digits only. */
export const queueId = "queue";
export const queueMax = 200;
const storageKey = "queue";

const text = (value: unknown): value is string => typeof value === "string";

function parseVideo(value: unknown): QueuedVideo[] {
  if (typeof value !== "object" || value === null) return [];
  const { slug, title, thumbnail }: Partial<Record<keyof QueuedVideo, unknown>> = value;
  if (!text(slug) || !text(title)) return [];
  return [{ slug, title, thumbnail: text(thumbnail) ? thumbnail : null }];
}

/** Returns the queue of this tab, or null if there is none or it is damaged. */
export function readQueue(): PlayQueue | null {
  const stored = readStoredJson(storageKey, "sessionStorage");
  if (typeof stored !== "object" || stored === null) return null;
  const { name, href, videos }: Partial<Record<keyof PlayQueue, unknown>> = stored;
  // A path of this site, because the bar links to it.
  if (!text(name) || !text(href) || !/^\/(?!\/)/.test(href) || !Array.isArray(videos)) return null;
  return { name, href, videos: videos.slice(0, queueMax).flatMap(parseVideo) };
}

/** Replaces the queue. If the browser refuses, it lasts until the page is closed. */
export function writeQueue({ name, href, videos }: PlayQueue): void {
  const kept = videos
    .slice(0, queueMax)
    .map(({ slug, title, thumbnail }) => ({ slug, title, thumbnail }));
  writeStored(storageKey, JSON.stringify({ name, href, videos: kept }), "sessionStorage");
}

import type { Sort, TimeRange } from "#contract/limits.ts";
import type { Visibility } from "#contract/videos/videos.ts";

/** In-memory video of the reference model without derived values. */
export interface PlainVideo {
  id: string;
  title: string;
  description: string;
  isPublished: boolean;
  isReady: boolean;
  visibility: Visibility;
  publishedAt: number | null;
  createdAt: number;
  durationS: number;
  /** Number of views before hourly statistics existed. */
  viewsBefore: number;
  likesBefore: number;
  engaged: number;
  /**
   * Stored value. Another test compares it with the plain sum, whose last digits depend on the
   * order.
   */
  trend: number;
  labels: { categories: string[]; tags: string[]; actors: string[] };
  /** Counts by hour (epoch milliseconds). */
  hours: Map<number, { views: number; completed: number; likes: number }>;
}

export interface PlainFilter {
  category?: string;
  tag?: string;
  actor?: string;
  search?: string;
  visibility: "listed" | "all" | "unpublished";
}

const rangeHours = { today: 24, week: 168, month: 720 } as const;
const hourMs = 3_600_000;

const sumHours = (
  video: PlainVideo,
  what: (counts: { views: number; completed: number; likes: number }) => number,
  after = -Infinity,
) => [...video.hours].reduce((sum, [hour, counts]) => sum + (hour > after ? what(counts) : 0), 0);

export const plainViews = (video: PlainVideo) =>
  video.viewsBefore + sumHours(video, (counts) => counts.views);
export const plainLikes = (video: PlainVideo) =>
  video.likesBefore + sumHours(video, (counts) => counts.likes);

/** Wilson's lower bound at 95% (z = 1.96), written as in docs/ranking.md. */
export function plainRating(likes: number, engaged: number): number {
  const n = Math.max(likes, engaged);
  if (likes === 0 || n === 0) return 0;
  const z = 1.96;
  const p = likes / n;
  return (
    (p + (z * z) / (2 * n) - z * Math.sqrt((p * (1 - p) + (z * z) / (4 * n)) / n)) /
    (1 + (z * z) / n)
  );
}

/** Returns the sort key. Windows end with this hour and cover 24, 168 or 720 hours. */
function keyOf(
  video: PlainVideo,
  sort: Sort,
  range: TimeRange | undefined,
  windowHour: number,
  isPublic: boolean,
): number {
  if (sort === "newest") return isPublic ? (video.publishedAt ?? 0) : video.createdAt;
  if (sort === "top_rated") return plainRating(plainLikes(video), video.engaged);
  if (range === "all") return plainViews(video);
  if (range === undefined) return sort === "trending" ? video.trend : plainViews(video);
  const after = windowHour - rangeHours[range] * hourMs;
  return sort === "most_viewed"
    ? sumHours(video, (c) => c.views, after)
    : sumHours(video, (c) => c.views + c.completed + 4 * c.likes, after);
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Returns the searched fields, best first. */
function fieldsOf(video: PlainVideo): string[][] {
  const { actors, tags, categories } = video.labels;
  const names = (list: string[]) => list.flatMap(wordsOf);
  const title = wordsOf(video.title);
  const withActors = [...title, ...names(actors)];
  const withTags = [...withActors, ...names(tags)];
  const withCategories = [...withTags, ...names(categories)];
  return [
    title,
    withActors,
    withTags,
    withCategories,
    [...withCategories, ...wordsOf(video.description)],
  ];
}

const hasAll = (text: string[], words: string[], isPrefix: boolean) =>
  words.every((word, at) =>
    text.some((each) =>
      isPrefix && word.length >= (at === words.length - 1 ? 2 : 3)
        ? each.startsWith(word)
        : each === word,
    ),
  );

function plainMatches(video: PlainVideo, filter: PlainFilter): boolean {
  const { category, tag, actor, search, visibility } = filter;
  const isListed = video.isPublished && video.isReady && video.visibility === "public";
  if (visibility === "listed" && !isListed) return false;
  if (visibility === "unpublished" && video.isPublished) return false;
  if (category !== undefined && !video.labels.categories.includes(category)) return false;
  if (tag !== undefined && !video.labels.tags.includes(tag)) return false;
  if (actor !== undefined && !video.labels.actors.includes(actor)) return false;
  if (search === undefined) return true;
  return hasAll(fieldsOf(video).at(-1) ?? [], wordsOf(search), true);
}

const descending =
  <T>(keys: (item: T) => (number | string)[]) =>
  (a: T, b: T) => {
    const left = keys(a);
    const right = keys(b);
    for (const [at, value] of left.entries()) {
      const other = right[at] ?? 0;
      if (value !== other) return value < other ? 1 : -1;
    }
    return 0;
  };

/** Returns the ids of a whole list by checking every video. */
export function plainList(
  videos: PlainVideo[],
  filter: PlainFilter,
  order: { sort: Sort; timeRange?: TimeRange | undefined },
  windowHour: number,
): string[] {
  const isPublic = filter.visibility === "listed";
  return videos
    .filter((video) => plainMatches(video, filter))
    .map((video) => ({
      id: video.id,
      key: keyOf(video, order.sort, order.timeRange, windowHour, isPublic),
    }))
    .toSorted(descending((item) => [item.key, item.id]))
    .map((item) => item.id);
}

/**
 * Returns the ids of a search by relevance. If there are more than `max` matches, prefers matches
 * in titles, then the newest videos.
 */
export function plainSearch(
  videos: PlainVideo[],
  filter: PlainFilter & { search: string },
  max: number,
): string[] {
  const words = wordsOf(filter.search);
  const text = words.join(" ");
  return videos
    .filter((video) => plainMatches(video, filter))
    .map((video) => {
      const fields = fieldsOf(video);
      const field = fields.length - fields.findIndex((field) => hasAll(field, words, true));
      const isInTitle = field === fields.length;
      const isInNames = field === fields.length - 1 && words.length > 1;
      const matchesOneActor = video.labels.actors.some((name) =>
        hasAll(wordsOf(name), words, true),
      );
      const title = wordsOf(video.title).join(" ");
      return {
        id: video.id,
        // A match in one actor's name is better than one across the title and several names.
        field: isInNames && matchesOneActor ? field + 0.5 : field,
        isInTitle: isInTitle ? 1 : 0,
        isWhole: hasAll(fields.at(-1) ?? [], words, false) ? 1 : 0,
        quarters: isInTitle
          ? Math.floor((4 * text.length) / Math.max(title.length, text.length))
          : 0,
        trend: video.trend,
      };
    })
    .toSorted(descending((item) => [item.isInTitle, item.id]))
    .slice(0, max)
    .toSorted(descending((item) => [item.field, item.isWhole, item.quarters, item.trend, item.id]))
    .map((item) => item.id);
}

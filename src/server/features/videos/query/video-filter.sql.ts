import { sql, type RawBuilder } from "kysely";
import type { AdminVideoState } from "#contract/videos/admin-videos.ts";
import type { DateFilter, LengthFilter, QualityFilter } from "#contract/limits.ts";
import type { Visibility } from "#contract/videos/videos.ts";
import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import { labelTables } from "#server/features/labels/label-tables.ts";

/** Words as queries of PostgreSQL. In each, a corrected word stands for several words. */
export interface WordsMatch {
  kind: "words";
  /** Every word, as a prefix. */
  query: string;
  /** As `query`, for the indexes by tier. */
  tiered: string;
  /** Every word whole. */
  whole: string;
  /**
   * Every word as it was typed, or as the word that is spelled most like it; null where `query`
   * says so.
   */
  nearest: string | null;
  /** As `query`, only in: title and actors; these and tags; these and categories. */
  inNames: string;
  inTags: string;
  inCategories: string;
  /** Words of which a video must have none, or null. */
  excluded: string | null;
  /** Where it stands for other words than those that were typed: what they may stand for. */
  spelled: SpelledWords | null;
  /** As typed, folded. */
  text: string;
  /** What a title or name with them begins with, folded: `text` and what it may stand for. */
  beginnings: readonly string[];
}

/** Typed words, and what each of them may stand for, the likeliest first. */
type SpelledWords = readonly { typed: string; texts: readonly string[] }[];

/** Documents that have some of the words, or whose titles look alike, the nearest first. */
interface TitlesMatch {
  kind: "titles";
  ids: string[];
  spelled: SpelledWords;
}

/** What a search asks for. */
export type TextMatch = WordsMatch | TitlesMatch;

/** Which videos: the one filter of public lists, the back office, search and bulk actions. */
export interface VideoFilter {
  /** `listed`: what visitors see; `all`: drafts and unfinished videos too. */
  visibility: "listed" | "all";
  /** Ids of labels that every video has. */
  labels: Partial<Record<LabelKind, string>>;
  state?: AdminVideoState | undefined;
  /** As the operator chose it, published or not. */
  chosenVisibility?: Visibility | undefined;
  isPremium?: boolean | undefined;
  length?: LengthFilter | undefined;
  date?: DateFilter | undefined;
  quality?: QualityFilter | undefined;
  match?: TextMatch | undefined;
}

export interface LabelRef {
  kind: LabelKind;
  id: string;
}

export function labelsOf(filter: VideoFilter): LabelRef[] {
  return labelKinds.flatMap((kind) => {
    const id = filter.labels[kind];
    return id === undefined ? [] : [{ kind, id }];
  });
}

/** Whether a filter leaves out nothing but by visibility and words. */
export function hasOnlyWords(filter: VideoFilter): boolean {
  return labelsOf(filter).length === 0 && !hasColumns(filter);
}

/** Whether it asks for more of a video than its labels and words. */
export function hasColumns(filter: VideoFilter): boolean {
  const { state, chosenVisibility, isPremium, length, date, quality } = filter;
  return [state, chosenVisibility, isPremium, length, date, quality].some(
    (value) => value !== undefined,
  );
}

/** Conditions on rows of `videos v`. */
const states: Record<AdminVideoState, RawBuilder<unknown>> = {
  published: sql`v.is_published`,
  draft: sql`not v.is_published`,
  scheduled: sql`v.publish_at is not null`,
  // A playable video whose renditions are not complete is being processed too.
  processing: sql`(v.status = 'processing' or (v.status = 'ready' and v.progress < 1))`,
  failed: sql`v.status = 'failed'`,
};

const lengths: Record<LengthFilter, RawBuilder<unknown>> = {
  short: sql`v.duration_s < 240`,
  medium: sql`v.duration_s between 240 and 1200`,
  long: sql`v.duration_s > 1200`,
};
const dates: Record<DateFilter, RawBuilder<unknown>> = {
  today: sql`v.published_at > now() - interval '24 hours'`,
  week: sql`v.published_at > now() - interval '7 days'`,
  month: sql`v.published_at > now() - interval '30 days'`,
  year: sql`v.published_at > now() - interval '365 days'`,
};
const qualities: Record<QualityFilter, RawBuilder<unknown>> = {
  hd: sql`least(v.width, v.height) >= 720`,
  full_hd: sql`least(v.width, v.height) >= 1080`,
  "4k": sql`least(v.width, v.height) >= 2160`,
};

function columnConditions(filter: VideoFilter): RawBuilder<unknown>[] {
  const { state, chosenVisibility, isPremium, length, date, quality } = filter;
  return [
    ...(length === undefined ? [] : [lengths[length]]),
    ...(date === undefined ? [] : [dates[date]]),
    ...(quality === undefined ? [] : [qualities[quality]]),
    ...(state === undefined ? [] : [states[state]]),
    ...(chosenVisibility === undefined ? [] : [sql`v.visibility = ${chosenVisibility}`]),
    ...(isPremium === undefined ? [] : [sql`v.is_premium = ${isPremium}`]),
  ];
}

/**
 * One look into the primary key of the join table. Not `exists`, which PostgreSQL may turn into a read
 * of the whole label: it cannot know how few videos have certain words.
 */
function hasLabel(videoId: RawBuilder<unknown>, { kind, id }: LabelRef): RawBuilder<unknown> {
  const { join, column } = labelTables[kind];
  return sql`(select true from ${sql.table(join)} j
    where j.video_id = ${videoId} and j.${sql.ref(column)} = ${id})`;
}

function matchesText(videoId: RawBuilder<unknown>, match: TextMatch): RawBuilder<unknown> {
  return match.kind === "titles"
    ? sql`${videoId} = any(${match.ids}::uuid[])`
    : sql`exists (select from video_search d
        where d.video_id = ${videoId} and d.words @@ ${match.query}::tsquery
          and ${isNotExcluded(sql`d`, match)})`;
}

/** On rows of `video_search`. */
export function isNotExcluded(
  document: RawBuilder<unknown>,
  { excluded }: Pick<WordsMatch, "excluded">,
): RawBuilder<unknown> {
  return excluded === null ? sql`true` : sql`not ${document}.words @@ ${excluded}::tsquery`;
}

function labelAndTextConditions(
  videoId: RawBuilder<unknown>,
  filter: VideoFilter,
  except?: LabelRef,
): RawBuilder<unknown>[] {
  return [
    ...labelsOf(filter)
      .filter((label) => label.id !== except?.id)
      .map((label) => hasLabel(videoId, label)),
    ...(filter.match === undefined ? [] : [matchesText(videoId, filter.match)]),
  ];
}

/**
 * The filter without its visibility, on the id of a video in any table.
 * @param except a label that the rows are known to have.
 */
export function idConditions(
  videoId: RawBuilder<unknown>,
  filter: VideoFilter,
  except?: LabelRef,
): RawBuilder<unknown>[] {
  const columns = columnConditions(filter);
  return [
    ...(columns.length === 0
      ? []
      : // Not `exists`: see hasLabel.
        [sql`(select true from videos v where v.id = ${videoId} and ${allOf(columns)})`]),
    ...labelAndTextConditions(videoId, filter, except),
  ];
}

/** The same on rows of `videos v`. */
export function rowConditions(filter: VideoFilter): RawBuilder<unknown>[] {
  return [...columnConditions(filter), ...labelAndTextConditions(sql`v.id`, filter)];
}

export function allOf(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

/** The ids of all videos that match, as a query. */
export function selectMatchingIds(filter: VideoFilter): RawBuilder<{ id: string }> {
  const where = [
    ...(filter.visibility === "listed" ? [sql`v.is_listed`] : []),
    ...rowConditions(filter),
  ];
  return sql<{ id: string }>`select v.id from videos v where ${allOf(where)}`;
}

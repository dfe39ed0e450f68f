import { sql, type RawBuilder } from "kysely";
import type { AdminVideoState } from "#contract/videos/admin-videos.ts";
import type { DateFilter, LengthFilter, QualityFilter } from "#contract/limits.ts";
import type { Visibility } from "#contract/videos/videos.ts";
import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import { labelTables } from "#server/features/labels/label-kinds.ts";

/** Words as PostgreSQL queries. A corrected word has several readings. */
export interface WordsMatch {
  kind: "words";
  /** Query in which every word is a prefix. */
  query: string;
  /** Like `query`, for the indexes by tier. */
  tiered: string;
  /** Query in which every word is whole. */
  whole: string;
  /**
   * Query with every word as typed or replaced by the most similar word; null if equal to `query`.
   */
  nearest: string | null;
  /** Like `query`, but limited to title and actors. The next two add tags, then categories. */
  inNames: string;
  inTags: string;
  inCategories: string;
  /** Query for words that a video must not contain, or null. */
  excluded: string | null;
  /** Readings of the words, if they differ from those typed. */
  spelled: SpelledWords | null;
  /** Typed text, folded. */
  text: string;
  /** Folded prefixes of titles and names: `text` and its other readings. */
  beginnings: readonly string[];
}

/** Typed words with their readings, most likely first. */
type SpelledWords = readonly { typed: string; texts: readonly string[] }[];

/** Documents that contain some of the words, closest first. */
interface TitlesMatch {
  kind: "titles";
  ids: string[];
  spelled: SpelledWords;
}

/** Result of interpreting a search. */
export type TextMatch = WordsMatch | TitlesMatch;

/** Filter for videos, shared by public lists, the back office, search and bulk actions. */
export interface VideoFilter {
  /** `listed` means videos that visitors see. `all` also includes drafts and unfinished videos. */
  visibility: "listed" | "all";
  /** Ids of labels that every video must have. */
  labels: Partial<Record<LabelKind, string>>;
  state?: AdminVideoState | undefined;
  /** Visibility that the operator has chosen, even if the video isn't published. */
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

/** Returns whether a filter only uses visibility and words. */
export function hasOnlyWords(filter: VideoFilter): boolean {
  return labelsOf(filter).length === 0 && !hasColumns(filter);
}

/** Returns whether a filter uses more than labels and words. */
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
  // A playable video with incomplete renditions is also being processed.
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
 * Checks a label with one lookup in the join table's primary key. Doesn't use `exists`, because
 * PostgreSQL may turn it into a scan of the whole label: it can't know how few videos contain
 * certain words.
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
        where d.video_id = ${videoId} and ${hasWords(sql`d`, match.query)}
          and ${isNotExcluded(sql`d`, match)})`;
}

/** Condition on rows of `video_search`. Indexes find them by the words, without their order. */
export function hasWords(document: RawBuilder<unknown>, query: string): RawBuilder<unknown> {
  if (!query.includes("<->")) return sql`${document}.words @@ ${query}::tsquery`;
  return sql`${document}.words @@ ${query.replaceAll("<->", "&")}::tsquery
    and ${hasPhrases(document, query)}`;
}

/**
 * Condition on rows of `video_search`. The document of a long transcript lacks positions of words,
 * so its phrases are also searched in passages.
 */
export function hasPhrases(
  document: RawBuilder<unknown>,
  query: string | RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`not exists (
    select from unnest(string_to_array(${query}, ' & ')::tsquery[]) as parts (part)
    where not (${document}.words @@ part or (${document}.lacks_positions and exists (
      select from caption_passages p
      where p.video_id = ${document}.video_id and p.words @@ part))))`;
}

/** Condition on rows of `video_search`. */
export function isNotExcluded(
  document: RawBuilder<unknown>,
  { excluded }: Pick<WordsMatch, "excluded">,
): RawBuilder<unknown> {
  return excluded === null ? sql`true` : sql`not (${hasWords(document, excluded)})`;
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
 * Returns the filter's conditions except visibility. They apply to a video id in any table.
 * @param except label that all rows are known to have.
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
      : // Doesn't use `exists`: see hasLabel.
        [sql`(select true from videos v where v.id = ${videoId} and ${allOf(columns)})`]),
    ...labelAndTextConditions(videoId, filter, except),
  ];
}

/** Returns the same conditions on rows of `videos v`. */
export function rowConditions(filter: VideoFilter): RawBuilder<unknown>[] {
  return [...columnConditions(filter), ...labelAndTextConditions(sql`v.id`, filter)];
}

export function allOf(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

/** Builds a query for the ids of all matching videos. */
export function selectMatchingIds(filter: VideoFilter): RawBuilder<{ id: string }> {
  const where = [
    ...(filter.visibility === "listed" ? [sql`v.is_listed`] : []),
    ...rowConditions(filter),
  ];
  return sql<{ id: string }>`select v.id from videos v where ${allOf(where)}`;
}

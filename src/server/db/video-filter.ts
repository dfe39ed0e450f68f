import { sql, type RawBuilder } from "kysely";
import type { AdminVideoState } from "../../contract/admin-videos.ts";
import { taxonomyKinds, type TaxonomyKind } from "../../contract/taxonomy.ts";
import { labelTables } from "./label-tables.ts";

/** Words as queries of PostgreSQL. In each, a corrected word stands for several words. */
export interface WordsMatch {
  kind: "words";
  /** Every word, as a prefix. */
  query: string;
  /** As `query`, for the indexes by tier. */
  tiered: string;
  /** Every word whole. */
  whole: string;
  /** As `query`, only in: title and actors; these and tags; these and categories. */
  inNames: string;
  inTags: string;
  inCategories: string;
  /** Folded, with corrections. */
  text: string;
}

/** What a search asks for: words, or titles that merely look alike, the nearest first. */
export type TextMatch = WordsMatch | { kind: "titles"; ids: string[] };

/** Which videos: the one filter of public lists, the back office, search and bulk actions. */
export interface VideoFilter {
  /** `listed`: what visitors see; `all`: drafts and unfinished videos too. */
  visibility: "listed" | "all";
  /** Ids of labels that every video has. */
  labels: Partial<Record<TaxonomyKind, string>>;
  state?: AdminVideoState | undefined;
  isPremium?: boolean | undefined;
  match?: TextMatch | undefined;
}

export interface LabelRef {
  kind: TaxonomyKind;
  id: string;
}

export function labelsOf(filter: VideoFilter): LabelRef[] {
  return taxonomyKinds.flatMap((kind) => {
    const id = filter.labels[kind];
    return id === undefined ? [] : [{ kind, id }];
  });
}

/** Whether a filter leaves out nothing but by visibility and words. */
export function hasOnlyWords(filter: VideoFilter): boolean {
  const { state, isPremium } = filter;
  return labelsOf(filter).length === 0 && state === undefined && isPremium === undefined;
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

function columnConditions({ state, isPremium }: VideoFilter): RawBuilder<unknown>[] {
  return [
    ...(state === undefined ? [] : [states[state]]),
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
        where d.video_id = ${videoId} and d.words @@ ${match.query}::tsquery)`;
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
      : [sql`exists (select from videos v where v.id = ${videoId} and ${allOf(columns)})`]),
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

import { sql, type RawBuilder } from "kysely";
import { taxonomyKinds, type TaxonomyKind } from "../../../contract/taxonomy.ts";
import { taxonomyTables } from "../catalog/taxonomy-tables.ts";
import type { TextMatch } from "./text-search.ts";

export interface ListFilter {
  /** Ids of labels that every item has. */
  labels: Partial<Record<TaxonomyKind, string>>;
  /** `listed`: what visitors see; `all`: drafts and unfinished ones too; `unpublished`: only drafts. */
  visibility: "listed" | "all" | "unpublished";
  match?: TextMatch | undefined;
}

export interface LabelRef {
  kind: TaxonomyKind;
  id: string;
}

export function labelsOf(filter: ListFilter): LabelRef[] {
  return taxonomyKinds.flatMap((kind) => {
    const id = filter.labels[kind];
    return id === undefined ? [] : [{ kind, id }];
  });
}

/** Whether the video of this id has the label: one look into the primary key. */
export function hasLabel(videoId: RawBuilder<unknown>, label: LabelRef): RawBuilder<unknown> {
  const { join, column } = taxonomyTables[label.kind];
  return sql`exists (select from ${sql.table(join)} j
    where j.video_id = ${videoId} and j.${sql.ref(column)} = ${label.id})`;
}

export function matchesText(videoId: RawBuilder<unknown>, match: TextMatch): RawBuilder<unknown> {
  return match.kind === "titles"
    ? sql`${videoId} = any(${match.ids}::uuid[])`
    : sql`exists (select from video_search d
        where d.video_id = ${videoId} and d.words @@ ${match.query}::tsquery)`;
}

/** Labels and text, without who may see it. */
export function conditions(
  videoId: RawBuilder<unknown>,
  filter: ListFilter,
  except?: LabelRef,
): RawBuilder<unknown>[] {
  return [
    ...labelsOf(filter)
      .filter((label) => label.id !== except?.id)
      .map((label) => hasLabel(videoId, label)),
    ...(filter.match === undefined ? [] : [matchesText(videoId, filter.match)]),
  ];
}

export function allOf(parts: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

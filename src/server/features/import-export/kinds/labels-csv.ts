import { z } from "zod";
import { seriesMax } from "#contract/lists/series.ts";
import { importFields } from "#contract/videos/imports.ts";
import { labelInput, labelPatch, type LabelItem, type LabelKind } from "#contract/lists/labels.ts";
import { foldName } from "#server/lib/names.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import { cellOf, changesOf, readValues, type CsvFormat, type Fields } from "./csv-format.ts";

const types = {
  name: "text",
  description: "optional",
  isSeries: "boolean",
  isPodcast: "boolean",
} as const;
const orderTypes = { videos: "list" } as const;
const order = z.object({ videos: z.array(z.string()).max(seriesMax).optional() });

/**
 * Categories, tags or actors. Rows match labels by id, slug or name. `videos` contains the slugs of
 * the videos of a series in order.
 */
export function createLabelsCsv(kind: LabelKind, labels: LabelsService): CsvFormat {
  const columns = [...importFields[kind], "videoCount", "createdAt"] as const;
  return {
    columns,

    async *rows() {
      for (const item of await labels.list(kind, true)) {
        const videos = item.isSeries ? await labels.series.listSlugs(kind, item.id) : [];
        const row = { ...item, videos };
        yield columns.map((name) => cellOf(row[name]));
      }
    },

    async begin() {
      const items = await labels.list(kind, true);
      const byId = new Map(items.map((item) => [item.id, item]));
      const bySlug = new Map(items.map((item) => [item.slug, item]));
      const byName = new Map(items.map((item) => [foldName(item.name), item]));

      const find = (fields: Fields, name: string | undefined): LabelItem | undefined =>
        byId.get(fields["id"]?.trim() ?? "") ??
        bySlug.get(fields["slug"]?.trim().toLowerCase() ?? "") ??
        byName.get(foldName(name ?? ""));

      /** Returns the ids of a new order, or null for the current one. */
      async function planOrder(label: LabelItem | undefined, isSeries: boolean, fields: Fields) {
        const given = [...new Set(readValues(order, orderTypes, fields).videos ?? [])];
        if (given.length === 0) return null;
        if (!isSeries) throw new AppError("invalid", "videos: only a series has an order");
        const now = label === undefined ? [] : await labels.series.listSlugs(kind, label.id);
        const members = new Set(now);
        const slugs = given.map((slug) => slug.toLowerCase());
        const stranger = slugs.find((slug) => !members.has(slug));
        if (stranger !== undefined) {
          throw new AppError("invalid", `videos: “${stranger}” isn't in this series`);
        }
        if (slugs.every((slug, at) => slug === now[at])) return null;
        const ids = await labels.series.findIdsOfSlugs(slugs);
        return slugs.flatMap((slug) => ids.get(slug) ?? []);
      }

      return async (fields) => {
        const patch = readValues(labelPatch, types, fields);
        const current = find(fields, patch.name);
        const isSeries = patch.isSeries ?? current?.isSeries ?? false;
        const ids = await planOrder(current, isSeries, fields);
        if (current === undefined) {
          const input = readValues(labelInput, types, fields);
          return {
            outcome: "created",
            key: foldName(input.name),
            apply: async ({ actor }) => void (await labels.create(kind, input, actor)),
          };
        }
        const changes = changesOf(patch, current);
        const taken = byName.get(foldName(changes.name ?? ""));
        if (taken !== undefined && taken.id !== current.id) {
          throw new AppError("conflict", `name: "${taken.name}" already exists`);
        }
        return {
          outcome: Object.keys(changes).length === 0 && ids === null ? "unchanged" : "updated",
          key: current.id,
          async apply({ actor }) {
            if (Object.keys(changes).length > 0) {
              await labels.update(kind, current.id, changes, actor);
            }
            if (ids !== null) await labels.series.sort(kind, current.id, ids, actor);
          },
        };
      };
    },
  };
}

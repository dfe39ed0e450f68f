import { importFields } from "#contract/videos/imports.ts";
import { labelInput, labelPatch, type LabelItem, type LabelKind } from "#contract/lists/labels.ts";
import { foldName } from "#server/lib/names.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import { cellOf, changesOf, readValues, type CsvFormat, type Fields } from "./csv-format.ts";

const types = { name: "text", description: "optional" } as const;

/** Categories, tags or actors. Rows match labels by id, slug or name. */
export function createLabelsCsv(kind: LabelKind, labels: LabelsService): CsvFormat {
  const columns = [...importFields[kind], "videoCount", "createdAt"] as const;
  return {
    columns,

    async *rows() {
      for (const item of await labels.list(kind, true)) {
        yield columns.map((name) => cellOf(item[name]));
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

      return async (fields) => {
        const patch = readValues(labelPatch, types, fields);
        const current = find(fields, patch.name);
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
          outcome: Object.keys(changes).length === 0 ? "unchanged" : "updated",
          key: current.id,
          apply: async ({ actor }) => void (await labels.update(kind, current.id, changes, actor)),
        };
      };
    },
  };
}

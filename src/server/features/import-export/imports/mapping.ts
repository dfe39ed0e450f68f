import { importFields, type CsvKind } from "#contract/videos/imports.ts";
import { AppError } from "#server/lib/app-error.ts";
import { withoutGuard } from "#server/lib/write-csv.ts";
import type { Fields } from "../kinds/csv-format.ts";

/** Common alternative column names. */
const alsoCalled: Partial<Record<string, string>> = {
  published: "isPublished",
  premium: "isPremium",
  sensitive: "isSensitive",
  active: "isActive",
  url: "address",
  path: "file",
  category: "categories",
  tag: "tags",
  actor: "actors",
};

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Returns the field that each column's name suggests. Uses each field only once. */
export function proposeMapping(kind: CsvKind, columns: readonly string[]): (string | null)[] {
  const free = new Set<string>(importFields[kind]);
  return columns.map((column) => {
    const name = plain(column);
    const field = [...free].find((each) => plain(each) === name || alsoCalled[name] === each);
    if (field === undefined) return null;
    free.delete(field);
    return field;
  });
}

/** @throws AppError invalid for a mapping that doesn't fit the file. */
export function requireMapping(
  kind: CsvKind,
  columns: readonly string[],
  mapping: readonly (string | null)[],
): void {
  const fields = mapping.filter((field) => field !== null);
  const known: readonly string[] = importFields[kind];
  const unknown = fields.find((field) => !known.includes(field));
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  const message =
    mapping.length !== columns.length
      ? "The mapping needs one entry for each column in the file."
      : unknown !== undefined
        ? `There is no field "${unknown}".`
        : twice !== undefined
          ? `Two columns fill "${twice}". Choose one of them.`
          : fields.length === 0
            ? "Choose a field for at least one column."
            : null;
  if (message !== null) {
    throw new AppError("invalid", message, { issues: [{ path: "mapping", message }] });
  }
}

/**
 * Returns a row's cells by field. @throws AppError invalid if there are more cells than columns.
 */
export function fieldsOf(cells: readonly string[], mapping: readonly (string | null)[]): Fields {
  if (cells.slice(mapping.length).some((cell) => cell !== "")) {
    throw new AppError("invalid", "The row has more cells than the header");
  }
  return Object.fromEntries(
    mapping.flatMap((field, index) =>
      field === null ? [] : [[field, withoutGuard(cells[index] ?? "")]],
    ),
  );
}

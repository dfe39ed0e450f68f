/** Result of a bench, printed and saved. All cells of a column are either text or numbers. */
export interface BenchTable {
  title: string;
  columns: string[];
  rows: (string | number)[][];
  /** Conditions of the measurement, and caveats. */
  notes?: string[];
  /** True for a partial run, which is printed but not saved. */
  isPartial?: boolean;
}

/** Formats the table for GitHub. */
export function toMarkdown(table: BenchTable): string {
  const cell = (value: string | number) =>
    typeof value === "number" ? String(Math.round(value * 1000) / 1000) : value;
  return [
    `# ${table.title}`,
    "",
    `| ${table.columns.join(" | ")} |`,
    `| ${table.columns.map(() => "---").join(" | ")} |`,
    ...table.rows.map((row) => `| ${row.map(cell).join(" | ")} |`),
    "",
    ...(table.notes ?? []).map((note) => `- ${note}`),
    "",
  ].join("\n");
}

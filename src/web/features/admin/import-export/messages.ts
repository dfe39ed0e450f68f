import type { ExchangeKind, ImportJob } from "#contract/videos/imports.ts";
import { countOf } from "#web/lib/format/english-counts.ts";

export const kindNames: Record<ExchangeKind, string> = {
  videos: "Videos",
  categories: "Categories",
  tags: "Tags",
  actors: "Actors",
  ads: "Ads",
  referrals: "Referrals",
};

export const stateNames: Record<ImportJob["state"], string> = {
  draft: "Not checked yet",
  checking: "Checking",
  checked: "Checked",
  running: "Importing",
  done: "Done",
  cancelled: "Cancelled",
  failed: "Failed",
};

export const exchangeMessages = {
  title: "Import and export",
  note: "Import and export data as CSV files",
  exportTitle: "Export",
  exportHint: "One file per type. You can edit the file and import it again.",
  exportKind: (kind: ExchangeKind) => `Export ${kind}`,
  importTitle: "Import",
  importHint:
    "You can review all changes before they're made. Rows that match an existing ID or slug update it. All others create a new entry.",
  kind: "Type of data",
  source: "Media source",
  sources: {
    file: "A CSV file",
    addresses: "A list of URLs",
    folder: "The server's import folder",
  },
  file: "CSV file",
  fileHint: "UTF-8 with a header row. Separate columns with commas, semicolons or tabs.",
  addresses: "URLs of video files, one per line",
  addressesHint: "The server downloads these files. URLs on its own network are rejected.",
  folderNone:
    "This server doesn't have an import folder. Its operator can set IMPORT_DIR (see docs/operating/configuring.md).",
  folderEmpty: "The import folder is empty.",
  folderMore: "More files will appear after you import these.",
  folderFiles: "Files",
  folderFailed: "Failed to read the import folder",
  read: "Check the rows",
  reading: "Reading...",
  readFailed: "Failed to read the file",
  tooLarge: "The file is too large",
  columns: "Columns",
  columnsHint: "Choose a field for each column in the file.",
  leaveOut: "Skip",
  field: (column: string) => `Field for column ${column}`,
  checkAgain: "Check again",
  checkFailed: "Failed to check the rows",
  start: (count: number) => `Import ${countOf(count, "row")}`,
  starting: "Starting...",
  startFailed: "Failed to start the import",
  cancel: "Cancel import",
  cancelFailed: "Failed to cancel the import",
  another: "Import another file",
  nothing: "Nothing to change.",
  loadFailed: "Failed to load the import",
  progress: (done: number, total: number) =>
    `${done.toLocaleString()} of ${total.toLocaleString()}`,
  counts: { created: "New", updated: "Changed", unchanged: "Unchanged", problems: "Problems" },
  willBe: "Preview of changes",
  was: "Import results",
  problemsTitle: "Rows with problems",
  problemsHint: "These rows were skipped. Download them, fix the problems and import that file.",
  problemsMore: (count: number) => `Showing the first ${count.toLocaleString()}.`,
  downloadProblems: "Download these rows",
  line: "Line",
  row: "Row",
  problem: "Problem",
  latest: "Latest imports",
} as const;

/** Returns "Published" for "isPublished" and "Vast tag url" for "vastTagUrl". */
export function fieldName(field: string): string {
  const words = field
    .replace(/^(is|has)(?=[A-Z])/, "")
    .replaceAll(/([A-Z])/g, " $1")
    .trim()
    .toLowerCase();
  return words === "" ? field : words.charAt(0).toUpperCase() + words.slice(1);
}

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
  note: "Everything as CSV, for spreadsheets and for other programs",
  exportTitle: "Export",
  exportHint:
    "One file for each kind, with everything in it. It can be imported again, changed or unchanged.",
  exportKind: (kind: ExchangeKind) => `Export ${kind}`,
  importTitle: "Import",
  importHint:
    "Nothing changes before you have seen what would. Rows whose id or slug the site knows update it, others create.",
  kind: "What the rows are",
  source: "Where the media come from",
  sources: {
    file: "A CSV file",
    addresses: "A list of addresses",
    folder: "The import folder of the server",
  },
  file: "CSV file",
  fileHint: "UTF-8, with a header. Commas, semicolons or tabs.",
  addresses: "Addresses of video files, one on each line",
  addressesHint: "The server fetches them. Addresses inside its own network are refused.",
  folderNone:
    "The server has no import folder. Its operator sets IMPORT_DIR, as docs/operating.md says.",
  folderEmpty: "The import folder is empty.",
  folderMore: "There are more files; they come after these are imported.",
  folderFiles: "Files",
  folderFailed: "Failed to read the import folder",
  read: "Check the rows",
  reading: "Reading...",
  readFailed: "Failed to read the file",
  tooLarge: "The file is too large",
  columns: "Columns",
  columnsHint: "Which field each column of the file fills.",
  leaveOut: "Leave out",
  field: (column: string) => `Field of the column ${column}`,
  checkAgain: "Check again",
  checkFailed: "Failed to check the rows",
  start: (count: number) => `Import ${countOf(count, "row")}`,
  starting: "Starting...",
  startFailed: "Failed to start the import",
  cancel: "Cancel import",
  cancelFailed: "Failed to cancel the import",
  another: "Import another file",
  nothing: "No row would change anything.",
  loadFailed: "Failed to load the import",
  progress: (done: number, total: number) =>
    `${done.toLocaleString()} of ${total.toLocaleString()}`,
  counts: { created: "New", updated: "Changed", unchanged: "Unchanged", problems: "Problems" },
  willBe: "What the import would do",
  was: "What the import did",
  problemsTitle: "Rows with a problem",
  problemsHint: "They are left out. Correct them in the downloaded file and import that.",
  problemsMore: (count: number) => `The first ${count.toLocaleString()} are shown.`,
  downloadProblems: "Download these rows",
  line: "Line",
  row: "Row",
  problem: "Problem",
  latest: "Latest imports",
} as const;

/** "isPublished" -> "Published", "vastTagUrl" -> "Vast tag url". */
export function fieldName(field: string): string {
  const words = field
    .replace(/^(is|has)(?=[A-Z])/, "")
    .replaceAll(/([A-Z])/g, " $1")
    .trim()
    .toLowerCase();
  return words === "" ? field : words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Matches text that could start a formula in a spreadsheet, after any apostrophes added by `guard`.
 */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Adds an apostrophe before text that a spreadsheet would execute. */
const guard = (text: string) => (formula.test(text) ? `'${text}` : text);

/** Reverses `guard`. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;

const quote = (text: string) =>
  /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Returns one record with its line ending, safe to open in a spreadsheet. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quote(guard(cell))).join(",")}\r\n`;

/** Returns a list as the text of one cell: a line of CSV. */
export const csvList = (items: readonly string[]): string => items.map(quote).join(", ");

/** Mark that makes spreadsheets read a file as UTF-8. */
export const byteOrderMark = "\uFEFF";

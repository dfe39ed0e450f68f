/** What may begin a formula in a spreadsheet, behind any apostrophes of this guard. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** With an apostrophe in front of what a spreadsheet would run. */
const guard = (text: string) => (formula.test(text) ? `'${text}` : text);

/** The text that `guard` was given. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;

const quote = (text: string) =>
  /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** One record with its line end, safe to open in a spreadsheet. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quote(guard(cell))).join(",")}\r\n`;

/** A list as the text of one cell: a line of CSV. */
export const csvList = (items: readonly string[]): string => items.map(quote).join(", ");

/** Spreadsheets know UTF-8 by it. */
export const byteOrderMark = "\uFEFF";

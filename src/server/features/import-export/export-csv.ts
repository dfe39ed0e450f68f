import { byteOrderMark, csvLine } from "#server/lib/csv/write-csv.ts";
import type { Exchange } from "./kinds/exchange.ts";

const partLength = 32 * 1024;

/** Exports all entries of a kind as CSV, in large chunks. */
export async function* exportCsv(exchange: Exchange): AsyncGenerator<string> {
  let part = byteOrderMark + csvLine(exchange.columns);
  for await (const cells of exchange.rows()) {
    part += csvLine(cells);
    if (part.length < partLength) continue;
    yield part;
    part = "";
  }
  yield part;
}

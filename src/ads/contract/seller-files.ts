/**
 * Patterns of a valid line of `ads.txt` (IAB ads.txt 1.1): a record, or a variable with its value.
 */
const record = /^[a-z0-9.-]+\.[a-z]{2,}\s*,\s*[^,\s][^,]*,\s*(direct|reseller)\s*(,[^,]*)?,?$/i;
const variable = /^[a-z]+\s*=\s*\S/i;

/** Returns the first problem in `ads.txt` or `app-ads.txt`, with its line number, or null. */
export function problemInAdsTxt(text: string): string | null {
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [code = ""] = line.split("#");
    const entry = (code.split(";")[0] ?? "").trim();
    if (entry === "" || record.test(entry) || variable.test(entry)) continue;
    return `Line ${index + 1}: give "domain, account, DIRECT or RESELLER", NAME=value, or a comment with #`;
  }
  return null;
}

/** Returns the first problem in `sellers.json` (IAB sellers.json 1.0), or null. */
export function problemInSellersJson(text: string): string | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return `This isn't valid JSON: ${error instanceof Error ? error.message : "unknown"}`;
  }
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  if (!isObject(parsed) || !("sellers" in parsed) || !Array.isArray(parsed.sellers)) {
    return 'Give an object with the list "sellers"';
  }
  const wrong = parsed.sellers.findIndex(
    (seller: unknown) =>
      !isObject(seller) ||
      !("seller_id" in seller) ||
      !("seller_type" in seller) ||
      !["PUBLISHER", "INTERMEDIARY", "BOTH"].includes(String(seller.seller_type).toUpperCase()),
  );
  return wrong < 0
    ? null
    : `Seller ${wrong + 1} needs "seller_id" and a "seller_type": PUBLISHER, INTERMEDIARY or BOTH`;
}

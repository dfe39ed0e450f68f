import type { Money } from "../../contract/campaigns.ts";

/** Formats an amount. Unknown currency codes stay unchanged. */
export const moneyText = (amount: number, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: "currency", currency }).format(amount);

export const sumText = (sums: readonly Money[], field: "amount" | "ecpm"): string =>
  sums.length === 0 ? "–" : sums.map((sum) => moneyText(sum[field], sum.currency)).join(" + ");

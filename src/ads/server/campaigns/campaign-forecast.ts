import type { Forecast } from "../../contract/campaigns.ts";
import { elapsedShare, type CampaignCounts, type CampaignRules } from "../rules/campaign-rules.ts";

/**
 * Forecasts a campaign: its results so far divided by the elapsed share of its active hours. The
 * goal is the campaign's own, otherwise the number of events that its budget pays for.
 */
export function forecastCampaign(
  rules: CampaignRules,
  counts: Pick<CampaignCounts, "impressions" | "viewable" | "clicks">,
  nowMs: number,
): Forecast | null {
  const { goal, goalAmount, paid } = rules;
  const target =
    goal !== "none" && goal !== "share" && goalAmount !== null
      ? { measure: goal, count: goalAmount }
      : paid;
  const elapsed = elapsedShare(rules, nowMs);
  if (target === null || target.count === 0 || elapsed === null || elapsed === 0) return null;
  // Delivery stops at the goal.
  const expected = Math.min(target.count, Math.round(counts[target.measure] / elapsed));
  return {
    expected,
    goal: target.count,
    percent: Math.floor((100 * expected) / target.count),
    elapsedPercent: Math.round(elapsed * 1000) / 10,
  };
}

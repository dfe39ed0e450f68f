import type { Forecast } from "../../contract/campaigns.ts";
import { elapsedOf, type CampaignCounts, type CampaignRules } from "../rules/campaign-rules.ts";

/**
 * How far a campaign will come: what it has reached, divided by the part of its time that is over. Only
 * the hours count in which it runs. Its goal is that of the campaign, else what its budget pays.
 */
export function forecastOf(
  rules: CampaignRules,
  counts: Pick<CampaignCounts, "impressions" | "viewable" | "clicks">,
  nowMs: number,
): Forecast | null {
  const { goal, goalAmount, paid } = rules;
  const target =
    goal !== "none" && goal !== "share" && goalAmount !== null
      ? { measure: goal, count: goalAmount }
      : paid;
  const elapsed = elapsedOf(rules, nowMs);
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

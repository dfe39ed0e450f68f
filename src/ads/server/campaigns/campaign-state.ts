import type { CampaignState } from "../../contract/campaigns.ts";
import type { CampaignCounts, CampaignRules } from "../rules/campaign-rules.ts";

/** Returns the state of a campaign. A campaign that is off and was never shown is a draft. */
export function stateOf(
  isActive: boolean,
  rules: CampaignRules,
  counts: Pick<CampaignCounts, "impressions" | "viewable" | "clicks">,
  nowMs: number,
): CampaignState {
  const { goal, goalAmount, paid, lifetimeCap, startsAtMs, endsAtMs } = rules;
  const isCounted = goal === "impressions" || goal === "viewable" || goal === "clicks";
  const isReached =
    (isCounted && goalAmount !== null && counts[goal] >= goalAmount) ||
    (paid !== null && counts[paid.measure] >= paid.count) ||
    (lifetimeCap !== null && counts.impressions >= lifetimeCap);
  if (endsAtMs <= nowMs || isReached) return "completed";
  if (!isActive) return counts.impressions === 0 ? "draft" : "paused";
  return startsAtMs > nowMs ? "scheduled" : "running";
}

import type { CampaignState } from "../../contract/campaigns.ts";
import { Badge, type BadgeTone } from "#web/components/ui/badge.tsx";
import { stateLabels } from "./messages.ts";

const tones: Record<CampaignState, BadgeTone> = {
  draft: "neutral",
  scheduled: "lamp",
  running: "done",
  paused: "neutral",
  completed: "neutral",
};

/** Green only while the campaign can show its ads. */
export function StateBadge({ state }: { state: CampaignState }) {
  return <Badge tone={tones[state]}>{stateLabels[state]}</Badge>;
}

import { LinkIcon, LockIcon } from "lucide-react";
import type { Video } from "#contract/videos/videos.ts";
import { Badge } from "#web/components/ui/badge.tsx";

export const visibilityNames = {
  public: "Public",
  unlisted: "Unlisted",
  private: "Private",
} as const;

/** Badge on videos that aren't public. */
export function VisibilityBadge({ video }: { video: Pick<Video, "visibility"> }) {
  const visibility = video.visibility ?? "public";
  if (visibility === "public") return null;
  const Icon = visibility === "private" ? LockIcon : LinkIcon;
  return (
    <Badge tone="neutral">
      <Icon aria-hidden="true" className="size-3" />
      {visibilityNames[visibility]}
    </Badge>
  );
}

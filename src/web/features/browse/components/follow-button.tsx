import { BellIcon } from "lucide-react";
import { Button } from "#web/components/ui/button.tsx";
import { isSameFollow, type Follow } from "#web/lib/visitor-library/library-data.ts";
import { library, useLibrary } from "#web/lib/visitor-library/library.ts";
import { browseTexts as texts } from "../messages.ts";

/**
 * Button that follows a category, tag or actor. Its new videos then appear on the home page in this
 * browser.
 */
export function FollowButton({ follow }: { follow: Follow }) {
  const isFollowed = useLibrary().follows.some((other) => isSameFollow(other, follow));
  return (
    <Button
      aria-pressed={isFollowed}
      onClick={() => {
        if (library.toggleFollow(follow)) return;
        import("#web/components/save/report-lost.ts")
          .then(({ reportLost }) => reportLost())
          .catch(console.warn);
      }}
    >
      <BellIcon className="size-5" fill={isFollowed ? "currentColor" : "none"} />
      {isFollowed ? texts.following : texts.follow}
    </Button>
  );
}

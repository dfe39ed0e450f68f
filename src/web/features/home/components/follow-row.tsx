import { useEffect, useState, type ReactNode } from "react";

/** Row with new videos of followed labels. Without follows, it takes no space and loads nothing. */
export function FollowRow() {
  const [row, setRow] = useState<ReactNode>(null);
  useEffect(() => {
    if (document.documentElement.dataset["follows"] === undefined) return;
    let isGone = false;
    import("./followed-videos.tsx").then(({ FollowedVideos }) => {
      if (!isGone) setRow(<FollowedVideos />);
    }, console.warn);
    return () => {
      isGone = true;
    };
  }, []);
  return <div className="follow-row">{row}</div>;
}

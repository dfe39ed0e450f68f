import type { CSSProperties, ReactNode } from "react";
import type { Player } from "../../player/core/player.ts";
import type { FeedSound } from "../core/sound.ts";
import type { FeedEntry } from "../core/timeline.ts";
import type { LoadTurn } from "../hooks/use-load-turns.ts";
import { FeedClip } from "./feed-clip.tsx";
import { FeedInfo } from "./feed-info.tsx";
import { SponsoredItem } from "./sponsored-item.tsx";

interface FeedItemProps {
  /** Null at the ends of the feed: the slot waits for something to show. */
  entry: FeedEntry | null;
  place: number;
  /** How many places it stands below the first one. */
  offset: number;
  /** Its position as people are told it, from 1. */
  number: number;
  isActive: boolean;
  isFirst: boolean;
  turn: LoadTurn;
  sound: FeedSound;
  titleId: string;
  onPlayer: (player: Player | null) => void;
  /** Names the answer that the ads came with. */
  serve: string;
  /** A sponsored film is over. */
  onAdDone: () => void;
  rail: ReactNode;
}

/** One of the three mounted items: a screen of the feed, video or ad. */
export function FeedItem(props: FeedItemProps) {
  const { entry, offset, isActive, isFirst, turn, sound, titleId, onPlayer, rail } = props;
  const video = entry?.kind === "video" ? entry.video : null;
  return (
    // An item of a feed takes the focus as a whole: page keys move from one to the next (WAI-ARIA feed).
    <article
      aria-labelledby={titleId}
      aria-posinset={props.number}
      aria-setsize={-1}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={isActive ? 0 : -1}
      data-active={isActive || undefined}
      data-kind={entry?.kind}
      data-slug={video?.slug}
      hidden={entry === null}
      className="feed-item"
      style={{ "--offset": offset } as CSSProperties}
    >
      <FeedClip
        video={video}
        isActive={isActive && video !== null}
        turn={turn}
        isFirst={isFirst}
        sound={sound}
        onPlayer={onPlayer}
      >
        {video === null ? null : <FeedInfo video={video} titleId={titleId} />}
      </FeedClip>
      {entry?.kind === "ad" ? (
        <SponsoredItem
          key={entry.key}
          ad={entry.ad}
          serve={props.serve}
          place={props.place}
          isActive={isActive}
          titleId={titleId}
          sound={sound}
          onDone={props.onAdDone}
        />
      ) : null}
      {rail}
    </article>
  );
}

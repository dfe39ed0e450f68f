import type { PublicAd } from "#ads/contract/ads.ts";
import type { Ref } from "react";
import type { FeedAdHandle } from "#ads/web/feed-ad.tsx";
import type { FeedSound } from "../core/sound.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { useStore } from "#web/lib/use-store.ts";

/** Loaded once a neighbor is an ad. A feed without ads never loads it. */
const loadFeedAd = async () => (await import("#ads/web/feed-ad.tsx")).FeedAd;

interface SponsoredItemProps {
  adRef: Ref<FeedAdHandle> | undefined;
  ad: PublicAd;
  serve: string;
  isActive: boolean;
  titleId: string;
  sound: FeedSound;
  onDone: () => void;
  onStop: () => void;
}

/** Ad that fills a screen of the feed. The screen is dark while the ad's script loads. */
export function SponsoredItem(props: SponsoredItemProps) {
  const { ad, serve, isActive, titleId, sound, onDone, onStop } = props;
  const isMuted = useStore(sound.store, (state) => state.isMuted);
  const { Lazy: FeedAd } = useLazyComponent(loadFeedAd, true);
  if (FeedAd === null) {
    return (
      <h2 id={titleId} className="sr-only">
        {ad.title}
      </h2>
    );
  }
  return (
    <FeedAd
      ref={props.adRef}
      ad={ad}
      serve={serve}
      active={isActive}
      isMuted={isMuted}
      onMutedChange={sound.setMuted}
      titleId={titleId}
      onDone={onDone}
      onStop={onStop}
    />
  );
}

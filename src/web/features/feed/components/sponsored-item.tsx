import type { PublicAd } from "#ads/contract/ads.ts";
import type { FeedSound } from "../core/sound.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { useStore } from "#web/lib/use-store.ts";

/** Loaded once a neighbor is an ad. A feed without ads never loads it. */
const loadFeedAd = async () => (await import("#ads/web/feed-ad.tsx")).FeedAd;

interface SponsoredItemProps {
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

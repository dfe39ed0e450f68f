import {
  startTransition,
  use,
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type CSSProperties,
  type RefObject,
} from "react";
import type { Video } from "#contract/videos/videos.ts";
import { FirstVideoContext } from "#web/lib/page/first-video.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { AdProvider } from "../core/ads/ad-provider.ts";
import { mediaHtml, serverMediaHtml } from "../media-element.ts";
import type { BuildPlayer, NextVideo } from "../use-video-player.ts";
import type { PlayerScreenProps } from "./player-screen.tsx";
import "./player.css";

const messages = inLanguage("player");

export interface PlayerProps {
  video: Video;
  /** Null for no ads. Must be the same object on every render. */
  ads: AdProvider | null;
  /** Whether to start automatically if the browser and the visitor's settings allow it. */
  autoPlay: boolean;
  /**
   * True if a pre-roll is possible, so that the content waits for it. If false, an `autoPlay` video
   * starts from the HTML, before any script. Defaults to whether there are ads.
   */
  canHavePreroll?: boolean;
  /** True if the page has a theater mode, set by `data-theatre` of the document. */
  hasTheatre?: boolean;
  /** Video to play after the end. */
  next?: NextVideo | null;
  /** Creates the player in another way. Must be the same on every render. */
  build?: BuildPlayer;
}

/**
 * Parts that are loaded after the element: controls, core, and the ad director if there are ads.
 */
interface LiveParts {
  Screen: ComponentType<PlayerScreenProps>;
  directAds: PlayerScreenProps["directAds"];
}

/** Returns the element of the content, which isn't the one of an ad. */
const findMedia = (root: RefObject<HTMLElement | null>) =>
  root.current?.querySelector<HTMLVideoElement>(".player-picture video") ?? null;

async function loadLive(ads: AdProvider | null): Promise<LiveParts> {
  const [{ PlayerScreen }, director] = await Promise.all([
    import("./player-screen.tsx"),
    // If this module fails to load, the content plays without ads.
    ads === null ? null : import("../core/ads/ad-director.ts").catch(() => null),
  ]);
  const directAds = ads === null || director === null ? null : director.findDirectAds(ads);
  return { Screen: PlayerScreen, directAds };
}

/**
 * Video element and, once loaded, its controls. Import it statically, because it is small. The
 * element that the server renders is the one that plays, so the first frame doesn't wait for a
 * script. It stays when the video changes, so the next one also plays in full screen, and with sound
 * in WebKit, which allows sound per element.
 */
export function Player(props: PlayerProps) {
  const { video, ads, autoPlay, canHavePreroll = ads !== null } = props;
  const { id, videoUrl } = video;
  const root = useRef<HTMLDivElement>(null);
  const firstVideo = import.meta.env.SSR ? use(FirstVideoContext) : null;
  // HTML text, because the ladder may replace the element later and React must not manage it. Keeps
  // an element that the server rendered or that the page's first script created.
  const [html] = useState(() => {
    const startsAtOnce = autoPlay && !canHavePreroll && videoUrl !== null;
    if (!import.meta.env.SSR) return { __html: mediaHtml(video, startsAtOnce) };
    const isFirst = startsAtOnce && firstVideo?.src === videoUrl;
    return { __html: serverMediaHtml(video, startsAtOnce, isFirst ? firstVideo.placeHtml : null) };
  });
  const shown = useRef(id);
  // Runs after the cleanup that destroys the last video's player.
  useEffect(() => {
    const media = findMedia(root);
    if (shown.current === id || media === null) return;
    shown.current = id;
    // The last video is still loaded if its player was never created.
    media.replaceChildren();
    for (const name of ["autoplay", "poster", "src"]) media.removeAttribute(name);
    media.setAttribute("aria-label", video.title);
    // The player sets the poster and, without a file, loads the ladder.
    if (videoUrl === null) media.load();
    else media.src = videoUrl;
    // Changed counts of the same video don't reload it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
  const ratio = video.width !== null && video.height !== null ? video.width / video.height : 16 / 9;
  return (
    <div
      ref={root}
      role="region"
      aria-label={messages.region(video.title)}
      className="player"
      style={{ "--ratio": ratio.toFixed(4) } as CSSProperties}
    >
      <div className="player-picture" suppressHydrationWarning dangerouslySetInnerHTML={html} />
      <PlayerParts key={id} {...props} root={root} />
    </div>
  );
}

interface PlayerPartsProps extends PlayerProps {
  root: RefObject<HTMLDivElement | null>;
}

function PlayerParts({ root, ...props }: PlayerPartsProps) {
  const [live, setLive] = useState<(LiveParts & { media: HTMLVideoElement }) | null>(null);
  const [isPlayRequested, setPlayAsked] = useState(false);

  const provider = useRef(props.ads);
  useEffect(() => {
    let isLost = false;
    loadLive(provider.current).then(
      (parts) => {
        const media = findMedia(root);
        if (isLost || media === null) return;
        root.current?.removeAttribute("data-bare");
        // In slices, so that the page stays responsive. The ladder may replace the element, but it
        // belongs to the same player.
        startTransition(() => setLive({ ...parts, media }));
      },
      (error: unknown) => {
        // Falls back to the browser's own controls.
        console.warn("couldn't load the player's controls", error);
        const media = findMedia(root);
        if (media !== null) media.controls = true;
        root.current?.setAttribute("data-bare", "");
      },
    );
    return () => {
      isLost = true;
    };
  }, [root]);

  if (live === null || root.current === null) {
    return (
      <button
        type="button"
        className="player-first-play"
        aria-label={messages.play}
        onClick={() => setPlayAsked(true)}
      />
    );
  }
  const { Screen, ...parts } = live;
  return (
    <Screen
      {...props}
      {...parts}
      root={root.current}
      isPlayRequested={isPlayRequested}
      hasTheatre={props.hasTheatre === true}
      next={props.next ?? null}
    />
  );
}

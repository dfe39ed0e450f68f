import type { CaptionTrack } from "#contract/videos/captions.ts";
import type { Video } from "#contract/videos/videos.ts";
import { attributesHtml, type FirstVideo } from "#web/lib/page/first-video.ts";
import { escapeHtml } from "#contract/escape-html.ts";

type Attributes = Readonly<Record<string, string>>;

const playing: Attributes = { autoplay: "", muted: "" };

function attributesOf(video: Video, state: Attributes): Attributes {
  const poster = video.posterUrl ?? video.thumbnailUrl;
  return {
    class: "player-media",
    playsinline: "",
    preload: "auto",
    ...state,
    ...(poster === null ? {} : { poster }),
    "aria-label": video.title,
  };
}

function elementHtml(video: Video, state: Attributes, media: string, tracks = ""): string {
  const source =
    video.videoUrl === null
      ? ""
      : `<source src="${escapeHtml(video.videoUrl)}" type="video/mp4" media="${media}">`;
  return `<video${attributesHtml(attributesOf(video, state))}>${source}${tracks}</video>`;
}

const trackHtml = ({ url, language, name, isDefault }: CaptionTrack): string => {
  const state: Attributes = isDefault === true ? { default: "" } : {};
  return `<track${attributesHtml({ kind: "subtitles", src: url, srclang: language, label: name, ...state })}>`;
};

/** Converts a player's video to the one that starts with the page. Null if it has no file yet. */
export function playerFirstVideo(video: Video): FirstVideo | null {
  if (video.videoUrl === null) return null;
  return { src: video.videoUrl, attributes: attributesOf(video, playing) };
}

/** Matches no source under reduced motion, so that nothing plays automatically. */
export function mediaHtml(video: Video, startsAtOnce: boolean, condition = ""): string {
  return startsAtOnce
    ? elementHtml(video, playing, `(prefers-reduced-motion: no-preference)${condition}`)
    : elementHtml(video, {}, `all${condition}`);
}

/**
 * Returns the server-rendered markup: `placeHtml` if the page's first script creates the element,
 * and for pages without scripts an element with the browser's own controls. Building those controls
 * on every visit would delay the first frame by half the load time of a bare page.
 */
export function serverMediaHtml(
  video: Video,
  startsAtOnce: boolean,
  placeHtml: string | null,
): string {
  const element = placeHtml ?? mediaHtml(video, startsAtOnce, " and (scripting: enabled)");
  const tracks = video.captions?.map(trackHtml).join("");
  const withControls = elementHtml(video, { preload: "metadata", controls: "" }, "all", tracks);
  return `${element}<noscript><style>.player-media:not([controls]),.player-first-play{display:none}</style>${withControls}</noscript>`;
}

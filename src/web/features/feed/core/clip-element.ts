import {
  attributesHtml,
  type FirstVideo,
  type FirstVideoPlace,
} from "#web/lib/page/first-video.ts";
import { escapeHtml } from "#contract/escape-html.ts";

const attributes = { class: "feed-media", playsinline: "", muted: "", preload: "auto" };
const playing = { ...attributes, autoplay: "" };

/** Returns the feed's first clip as the video that starts with the page. */
export function clipFirstVideo(src: string): FirstVideo {
  return { src, attributes: playing };
}

/**
 * Returns the element of a slot. It is empty if a player fills it. Otherwise, it has the file of
 * the first clip. With reduced motion, no source matches, so nothing starts automatically.
 */
export function clipMediaHtml(firstSrc: string | null, place: FirstVideoPlace | null): string {
  if (firstSrc === null) return `<video${attributesHtml(attributes)}></video>`;
  const source = `<source src="${escapeHtml(firstSrc)}" type="video/mp4" media="(prefers-reduced-motion: no-preference)">`;
  const element = `<video${attributesHtml(playing)}>${source}</video>`;
  return place?.src === firstSrc ? `${place.placeHtml}<noscript>${element}</noscript>` : element;
}

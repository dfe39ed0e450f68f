import type { Language } from "#contract/site/languages.ts";
import type { Video } from "#contract/videos/videos.ts";
import { element, escapeXml } from "./xml.ts";

export interface RssChannel {
  title: string;
  description: string;
  /** Page that shows the same videos. `self` is the address of the feed itself. */
  link: string;
  language: Language;
  /** Prefix of page paths in this language. */
  pages: string;
  self: string;
}

/** Renders RSS 2.0 with the elements of Media RSS (rssboard.org/media-rss). */
export function rssXml(channel: RssChannel, videos: readonly Video[], siteUrl: string): string {
  const latest = videos[0]?.publishedAt ?? null;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom">',
    "<channel>",
    element("title", channel.title),
    element("link", channel.link),
    element("language", channel.language),
    // RSS requires a description.
    `<description>${escapeXml(channel.description)}</description>`,
    `<atom:link href="${escapeXml(channel.self)}" rel="self" type="application/rss+xml"/>`,
    latest === null ? "" : element("lastBuildDate", new Date(latest).toUTCString()),
    ...videos.map((video) =>
      itemXml({ ...video, ...video.translations?.[channel.language] }, siteUrl, channel.pages),
    ),
    "</channel>",
    "</rss>",
    "",
  ].join("\n");
}

function itemXml(video: Video, siteUrl: string, pages: string): string {
  const page = `${pages}/video/${encodeURIComponent(video.slug)}`;
  const size =
    video.width === null || video.height === null
      ? ""
      : ` width="${video.width}" height="${video.height}"`;
  const content =
    video.videoUrl === null
      ? ""
      : `<media:content url="${escapeXml(siteUrl + video.videoUrl)}" type="video/mp4" medium="video" duration="${Math.round(video.duration)}"${size}/>`;
  const thumbnail =
    video.thumbnail === null
      ? ""
      : `<media:thumbnail url="${escapeXml(siteUrl + video.thumbnail)}"/>`;
  const tags = video.tags.map(({ tag }) => tag.name).join(", ");
  return [
    "<item>",
    element("title", video.title),
    element("link", page),
    // Uses the id, because readers would show the item again if its slug changed.
    `<guid isPermaLink="false">${video.id}</guid>`,
    video.publishedAt === null ? "" : element("pubDate", new Date(video.publishedAt).toUTCString()),
    element("description", video.description),
    ...video.categories.map(({ category }) => element("category", category.name)),
    "<media:group>",
    content,
    element("media:title", video.title),
    element("media:description", video.description),
    thumbnail,
    `<media:player url="${escapeXml(`${pages}/embed/${encodeURIComponent(video.slug)}`)}"/>`,
    element("media:keywords", tags),
    `<media:community><media:statistics views="${video.views}" favorites="${video.likes}"/></media:community>`,
    "</media:group>",
    "</item>",
  ].join("");
}

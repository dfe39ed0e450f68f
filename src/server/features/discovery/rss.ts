import { createHash } from "node:crypto";
import { escapeHtml } from "#contract/escape-html.ts";
import { embeddersOf, type SiteEmbedding } from "#contract/site/embedding.ts";
import type { Language } from "#contract/site/languages.ts";
import type { PodcastCategory } from "#contract/site/podcast-categories.ts";
import { descriptionParts } from "#contract/videos/description-parts.ts";
import type { ListedVideo } from "#contract/videos/videos.ts";
import type { Episode, EpisodeKind } from "#server/features/podcasts/podcasts.service.ts";
import { element, escapeXml } from "./xml.ts";

export interface RssChannel {
  title: string;
  description: string;
  /** Page that shows the same videos. */
  link: string;
  language: Language;
  /** Origin of the site, and the prefix of page paths in this language. */
  siteUrl: string;
  pages: string;
  /** Addresses of this page of the feed, of its first page, and of the page with older videos. */
  self: string;
  first: string;
  next: string | null;
  /** The site's setting for the embeds of videos without a rule of their own. */
  embedding: SiteEmbedding;
  /** True if feed readers may load media files. */
  hasMedia: boolean;
  /** Null for a feed without episodes. */
  podcast: RssPodcast | null;
}

interface RssPodcast {
  kind: EpisodeKind;
  /** Address from which the identifier of the podcast is made. */
  guidAddress: string;
  author: string;
  /** Address that the feed shows as its owner's. */
  email: string | null;
  category: PodcastCategory;
  /** True if apps should play the episodes in their order, from the first one. */
  isSerial: boolean;
  /** Address of a square JPEG or PNG of 1400 px. */
  artwork: string;
  episodes: ReadonlyMap<string, Episode>;
}

const namespaces = [
  'xmlns:media="http://search.yahoo.com/mrss/"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
];
const podcastNamespaces = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
];

/** Renders an empty element. Leaves out attributes without a value. */
function emptyElement(name: string, attributes: Record<string, string | number | null>): string {
  const texts = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${texts.join("")}/>`;
}

/** Renders a text as HTML, because readers show descriptions of items as HTML. */
function htmlOf(text: string): string {
  const parts = descriptionParts(text).map((part) => {
    const html = escapeHtml(part.text);
    return part.href === null ? html : `<a href="${escapeHtml(part.href)}">${html}</a>`;
  });
  return parts.join("").replace(/\r?\n/g, "<br>");
}

/**
 * Renders RSS 2.0 with Media RSS (rssboard.org/media-rss) and pages (RFC 5005). A podcast also has
 * Apple's tags and those of the Podcasting 2.0 namespace.
 */
export function rssXml(channel: RssChannel, videos: readonly ListedVideo[]): string {
  const { podcast } = channel;
  const latest = videos.reduce<string | null>(
    (last, { publishedAt }) =>
      publishedAt !== null && publishedAt > (last ?? "") ? publishedAt : last,
    null,
  );
  const atomLink = (rel: string, href: string | null) =>
    href === null ? "" : emptyElement("atom:link", { href, rel, type: "application/rss+xml" });
  const names = podcast === null ? namespaces : [...namespaces, ...podcastNamespaces];
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<rss version="2.0" ${names.join(" ")}>`,
    "<channel>",
    element("title", channel.title),
    element("link", channel.link),
    element("language", channel.language),
    // RSS requires a description. Only podcast apps show it as HTML.
    `<description>${escapeXml(podcast === null ? channel.description : htmlOf(channel.description))}</description>`,
    atomLink("self", channel.self),
    atomLink("first", channel.first),
    atomLink("next", channel.next),
    latest === null ? "" : element("lastBuildDate", new Date(latest).toUTCString()),
    ...(podcast === null ? [] : podcastXml(channel, podcast)),
    ...videos.map((video) =>
      itemXml({ ...video, ...video.translations?.[channel.language] }, channel),
    ),
    "</channel>",
    "</rss>",
    "",
  ].join("\n");
}

function podcastXml({ title, link }: RssChannel, podcast: RssPodcast): string[] {
  const isExplicit = [...podcast.episodes.values()].some((episode) => episode.isExplicit);
  return [
    element("itunes:author", podcast.author),
    podcast.email === null
      ? ""
      : `<itunes:owner>${element("itunes:name", podcast.author)}${element("itunes:email", podcast.email)}</itunes:owner>`,
    emptyElement("itunes:image", { href: podcast.artwork }),
    emptyElement("itunes:category", { text: podcast.category }),
    element("itunes:explicit", String(isExplicit)),
    element("itunes:type", podcast.isSerial ? "serial" : "episodic"),
    element("podcast:guid", feedGuid(podcast.guidAddress)),
    element("podcast:medium", podcast.kind === "video" ? "video" : "podcast"),
    `<image>${element("url", podcast.artwork)}${element("title", title)}${element("link", link)}</image>`,
  ];
}

/** Namespace of the identifiers of podcasts, from the Podcasting 2.0 namespace. */
const guidNamespace = Buffer.from("ead4c236bf5858c6a2c6a6b28d128cb6", "hex");

/** Returns the identifier of a feed: a UUID (version 5) of its address without the scheme. */
function feedGuid(address: string): string {
  const name = address.replace(/^https?:\/\//, "").replace(/\/+$/, "");
  const hash = createHash("sha1").update(guidNamespace).update(name).digest().subarray(0, 16);
  hash.writeUInt8(((hash[6] ?? 0) & 0x0f) | 0x50, 6);
  hash.writeUInt8(((hash[8] ?? 0) & 0x3f) | 0x80, 8);
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function itemXml(video: ListedVideo, channel: RssChannel): string {
  const { siteUrl, pages, podcast } = channel;
  const page = `${pages}/video/${encodeURIComponent(video.slug)}`;
  const content =
    video.videoUrl === null || !channel.hasMedia
      ? ""
      : emptyElement("media:content", {
          ...{ url: siteUrl + video.videoUrl, type: "video/mp4", medium: "video" },
          duration: Math.round(video.duration),
          ...(video.height === null ? {} : { width: video.width, height: video.height }),
        });
  const thumbnail =
    video.thumbnail === null
      ? ""
      : emptyElement("media:thumbnail", { url: siteUrl + video.thumbnail });
  const tags = video.tags.map(({ tag }) => tag.name).join(", ");
  const episode = podcast?.episodes.get(video.id);
  return [
    "<item>",
    element("title", video.title),
    element("link", page),
    // Uses the id, because readers would show the item again if its slug changed.
    `<guid isPermaLink="false">${video.id}</guid>`,
    video.publishedAt === null ? "" : element("pubDate", new Date(video.publishedAt).toUTCString()),
    element("description", htmlOf(video.description ?? "")),
    ...video.categories.map(({ category }) => element("category", category.name)),
    ...(episode === undefined ? [] : episodeXml(video, episode, siteUrl)),
    "<media:group>",
    content,
    element("media:title", video.title),
    element("media:description", video.description),
    thumbnail,
    embeddersOf(channel.embedding, video.embedding) === "any"
      ? emptyElement("media:player", { url: `${pages}/embed/${encodeURIComponent(video.slug)}` })
      : "",
    element("media:keywords", tags),
    video.isSensitive === true ? '<media:rating scheme="urn:simple">adult</media:rating>' : "",
    `<media:community><media:statistics views="${video.views}" favorites="${video.likes}"/></media:community>`,
    "</media:group>",
    "</item>",
  ].join("");
}

function episodeXml(video: ListedVideo, episode: Episode, siteUrl: string): string[] {
  const { file, chapters, transcripts, durationS } = episode;
  return [
    file === null
      ? ""
      : emptyElement("enclosure", {
          url: siteUrl + file.url,
          length: file.sizeBytes,
          type: file.type,
        }),
    element("itunes:duration", Math.max(1, Math.round(durationS))),
    element("itunes:explicit", String(episode.isExplicit)),
    element("itunes:episodeType", "full"),
    video.part === undefined ? "" : element("itunes:episode", video.part.number),
    chapters.length === 0
      ? ""
      : emptyElement("podcast:chapters", {
          url: `${siteUrl}/api/videos/${video.id}/chapters`,
          type: chaptersType,
        }),
    ...transcripts.map(({ url, language }) =>
      emptyElement("podcast:transcript", {
        ...{ url: siteUrl + url, type: "text/vtt", rel: "captions" },
        language: language === "und" ? null : language,
      }),
    ),
  ];
}

/** Type of chapters in JSON, from the Podcasting 2.0 namespace. */
export const chaptersType = "application/json+chapters";

import { embeddersOf } from "#contract/site/embedding.ts";
import { shorten } from "#contract/text.ts";
import { pictureSize, posterBox } from "#contract/videos/picture-sizes.ts";
import type { Video } from "#contract/videos/videos.ts";
import { formatList } from "#web/lib/format/format.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import type { Head } from "./head.ts";
import { absoluteUrl, shareMeta, siteTitle } from "./share-meta.ts";
import type { Site } from "./site.ts";

const messages = inLanguage("videoHead");

/** Maximum length of the summary. Search engines and chat programs cut longer texts. */
const summaryMax = 200;

/** Returns a one-line summary: the description, or the title with actors and categories. */
export function videoSummary(video: Video, site: Site): string {
  const text = shorten(video.description ?? "", summaryMax);
  if (text === "") {
    const names = [
      ...video.actors.map(({ actor }) => actor.name),
      ...video.categories.map(({ category }) => category.name),
    ];
    return names.length === 0
      ? messages.linkText(video.title, site.name)
      : messages.linkWith(video.title, site.name, formatList(names.slice(0, 4)));
  }
  return text;
}

export function embedUrl(video: Video, site: Site): string {
  return `${site.url}/embed/${encodeURIComponent(video.slug)}`;
}

/** Returns whether players on any site may show the video, such as those of chat programs. */
export const isEmbeddable = (video: Video, site: Site): boolean =>
  embeddersOf(site.settings.embedding, video.embedding) === "any";

function playerMeta(video: Video, site: Site): { name: string; content: string }[] {
  const { width, height, videoUrl } = video;
  const size = width !== null && height !== null ? { width, height } : { width: 1280, height: 720 };
  const frame = (prefix: string) => [
    { name: `${prefix}:width`, content: String(size.width) },
    { name: `${prefix}:height`, content: String(size.height) },
  ];
  return [
    ...(videoUrl === null || !isEmbeddable(video, site) || site.settings.mediaOnOtherSites === false
      ? []
      : [
          { name: "og:video", content: absoluteUrl(site, videoUrl) },
          { name: "og:video:type", content: "video/mp4" },
          ...frame("og:video"),
        ]),
    { name: "video:duration", content: String(Math.round(video.duration)) },
    ...video.tags.map(({ tag }) => ({ name: "video:tag", content: tag.name })),
    ...(isEmbeddable(video, site)
      ? [
          { name: "twitter:card", content: "player" },
          { name: "twitter:player", content: embedUrl(video, site) },
          ...frame("twitter:player"),
        ]
      : []),
  ];
}

/** Returns the head of a page that shows a video, without structured data. */
export function headOfVideo(video: Video, site: Site) {
  const url = site.url + videoHref(video.slug);
  const title = siteTitle(video.title, site);
  const summary = videoSummary(video, site);
  const image = video.posterUrl ?? video.thumbnail;
  const shared = shareMeta(site, {
    title: video.title,
    description: summary,
    url,
    type: "video.other",
    image:
      image === null
        ? null
        : { url: absoluteUrl(site, image), ...pictureSize(video.posterUrl, video, posterBox) },
  });
  return {
    title,
    description: summary,
    canonical: url,
    meta: [
      ...(isEmbeddable(video, site)
        ? shared.filter(({ name }) => name !== "twitter:card")
        : shared),
      ...playerMeta(video, site),
      ...(video.isSensitive === true ? [{ name: "rating", content: "adult" }] : []),
      ...(video.isPublished && (video.visibility ?? "public") === "public"
        ? []
        : [{ name: "robots", content: "noindex" }]),
    ],
    links:
      embeddersOf(site.settings.embedding, video.embedding) === "nobody"
        ? []
        : [
            {
              rel: "alternate",
              type: "application/json+oembed",
              title: video.title,
              // The response is in the language of this URL.
              href: `${site.url}/api/oembed?url=${encodeURIComponent(site.url + pagePath(videoHref(video.slug)))}&format=json`,
            },
          ],
  } satisfies Head;
}

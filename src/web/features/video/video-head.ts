import { embeddersOf } from "#contract/site/embedding.ts";
import { shorten } from "#contract/text.ts";
import { pictureSize, posterBox } from "#contract/videos/picture-sizes.ts";
import type { Video } from "#contract/videos/videos.ts";
import { formatList } from "#web/lib/format/format.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import type { Head } from "#web/lib/page/head.ts";
import type { HeadInput } from "#web/lib/page/page-route.ts";
import { absoluteUrl, shareMeta, siteTitle } from "#web/lib/page/share-meta.ts";
import type { Site } from "#web/lib/page/site.ts";
import type { RenderedTranscript } from "#web/features/transcript/render-transcript.tsx";
import type { ServerOnly } from "./load-video.ts";

const messages = inLanguage("video");

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

/** Tells search engines which part of the page only members see. */
const forMembers = {
  isAccessibleForFree: false,
  hasPart: {
    "@type": "WebPageElement",
    isAccessibleForFree: false,
    cssSelector: ".video-page-player",
  },
};

interface VideoHeadData {
  video: Video;
  transcript?: ServerOnly<RenderedTranscript | null> | undefined;
}

function structuredData(
  { video, transcript }: VideoHeadData,
  site: Site,
  url: string,
  summary: string,
): object[] {
  const thumbnail = video.posterUrl ?? video.thumbnail;
  const category = video.categories[0]?.category;
  const crumbs = [
    { name: messages.home, item: `${site.url}/home` },
    ...(category === undefined
      ? []
      : [
          {
            name: category.name,
            item: `${site.url}/categories/${encodeURIComponent(category.slug)}`,
          },
        ]),
    { name: video.title, item: url },
  ];
  return [
    {
      "@context": "https://schema.org",
      "@type": "VideoObject",
      name: video.title,
      description: summary,
      ...(thumbnail === null ? {} : { thumbnailUrl: [absoluteUrl(site, thumbnail)] }),
      uploadDate: video.publishedAt ?? video.createdAt,
      duration: isoDuration(video.duration),
      ...(transcript?.value == null ? {} : { transcript: transcript.value.text }),
      ...(video.videoUrl === null ? {} : { contentUrl: absoluteUrl(site, video.videoUrl) }),
      ...(video.isLocked === true ? forMembers : {}),
      ...(isEmbeddable(video, site) ? { embedUrl: embedUrl(video, site) } : {}),
      url,
      ...(video.width === null || video.height === null
        ? {}
        : { width: video.width, height: video.height }),
      ...(video.tags.length === 0
        ? {}
        : { keywords: video.tags.map(({ tag }) => tag.name).join(", ") }),
      ...(video.actors.length === 0
        ? {}
        : { actor: video.actors.map(({ actor }) => ({ "@type": "Person", name: actor.name })) }),
      ...(video.series === undefined
        ? {}
        : {
            isPartOf: video.series.map(({ kind, slug, name }) => ({
              "@type": "CreativeWorkSeries",
              name,
              url: `${site.url}/${kind}/${encodeURIComponent(slug)}`,
            })),
            position: video.series[0]?.part,
          }),
      interactionStatistic: [
        {
          "@type": "InteractionCounter",
          interactionType: { "@type": "WatchAction" },
          userInteractionCount: video.views,
        },
        {
          "@type": "InteractionCounter",
          interactionType: { "@type": "LikeAction" },
          userInteractionCount: video.likes,
        },
      ],
    },
    {
      "@context": "https://schema.org",
      "@type": "BreadcrumbList",
      itemListElement: crumbs.map((crumb, index) => ({
        "@type": "ListItem",
        position: index + 1,
        ...crumb,
      })),
    },
  ];
}

function embedUrl(video: Video, site: Site): string {
  return `${site.url}/embed/${encodeURIComponent(video.slug)}`;
}

/** Returns whether players on any site may show the video, such as those of chat programs. */
const isEmbeddable = (video: Video, site: Site): boolean =>
  embeddersOf(site.settings.embedding, video.embedding) === "any";

function playerMeta(video: Video, site: Site): { name: string; content: string }[] {
  const { width, height, videoUrl } = video;
  const size = width !== null && height !== null ? { width, height } : { width: 1280, height: 720 };
  const frame = (prefix: string) => [
    { name: `${prefix}:width`, content: String(size.width) },
    { name: `${prefix}:height`, content: String(size.height) },
  ];
  return [
    ...(videoUrl === null || !isEmbeddable(video, site)
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

/** Returns the title, description, meta tags and structured data of a video page. */
export function videoHead({ data, site }: HeadInput<VideoHeadData>): Head {
  const { video } = data;
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
    jsonLd: structuredData(data, site, url, summary),
  };
}

/** Formats seconds as ISO 8601, 3725 -> "PT1H2M5S". */
export function isoDuration(durationS: number): string {
  const whole = Math.max(0, Math.round(durationS));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const seconds = whole % 60;
  const text = `${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${seconds > 0 ? `${seconds}S` : ""}`;
  return `PT${text === "" ? "0S" : text}`;
}

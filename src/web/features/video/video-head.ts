import type { Video } from "#contract/videos/videos.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { Head } from "#web/lib/page/head.ts";
import { embedUrl, headOfVideo, isEmbeddable } from "#web/lib/page/head-of-video.ts";
import type { HeadInput } from "#web/lib/page/page-route.ts";
import { absoluteUrl } from "#web/lib/page/share-meta.ts";
import type { Site } from "#web/lib/page/site.ts";
import type { RenderedTranscript } from "#web/features/transcript/render-transcript.tsx";
import type { ServerOnly } from "./load-video.ts";

const messages = inLanguage("videoHead");

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
  const { mediaOnOtherSites = true, mediaWithoutOrigin = true } = site.settings;
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
      ...(video.videoUrl === null || !(mediaOnOtherSites || mediaWithoutOrigin)
        ? {}
        : { contentUrl: absoluteUrl(site, video.videoUrl) }),
      ...(video.isLocked === true ? forMembers : {}),
      ...(video.isSensitive === true || site.settings.ageGate ? { isFamilyFriendly: false } : {}),
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

/** Returns the title, description, meta tags and structured data of a video page. */
export function videoHead({ data, site }: HeadInput<VideoHeadData>): Head {
  const head = headOfVideo(data.video, site);
  return { ...head, jsonLd: structuredData(data, site, head.canonical, head.description) };
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

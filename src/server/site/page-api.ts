import type { PageApi, ServerPageApi } from "#contract/site/page-api.ts";
import type { Video } from "#contract/videos/videos.ts";
import { commentQuery } from "#contract/visitors/comments.ts";
import type { AdsFeature } from "#ads/server/ads.feature.ts";
import type { Viewer } from "#server/http/access/policy.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { TranscriptsService } from "#server/features/captions/transcripts.service.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { FeedService } from "#server/features/feed/feed.service.ts";
import type { ListsService } from "#server/features/videos/query/lists.service.ts";
import type { RelatedService } from "#server/features/related/related.service.ts";
import type { ModerationFeature } from "#server/features/moderation/moderation.feature.ts";
import type { PrivacyService } from "#server/features/privacy/privacy.service.ts";
import { getShownPage, type OwnPagesService } from "#server/features/settings/own-pages.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { TrendingService } from "#server/features/trending/trending.service.ts";
import type { PrivateLinksService } from "#server/features/videos/private-links/private-links.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";

/** Services that pages use. */
export interface PageServices {
  settings: SettingsService;
  ownPages: OwnPagesService;
  videos: VideosService;
  lists: ListsService;
  related: RelatedService;
  labels: LabelsService;
  trending: TrendingService;
  feed: FeedService;
  moderation: ModerationFeature;
  privacy: PrivacyService;
  privateLinks: PrivateLinksService;
}

/**
 * Creates an API for pages. It calls the services directly and returns the same data as the HTTP
 * API. Calls `onDraft` if the page shows a video that visitors can't see.
 */
export function createPageApi(
  deps: PageServices,
): (viewer: Viewer, onDraft: (draft: Video) => void) => PageApi {
  const { settings, videos, lists, related, labels, trending, feed, moderation, privacy } = deps;
  const { privateLinks, ownPages } = deps;
  const visitor = { isAdmin: false };

  /** Returns a video as visitors see it. Admins also see a draft, on the page that it will have. */
  async function getVideo(
    idOrSlug: string,
    viewer: Viewer,
    onDraft: (draft: Video) => void,
  ): Promise<Video> {
    try {
      return await videos.get(idOrSlug, visitor);
    } catch (error) {
      if (!viewer.isAdmin || !(error instanceof AppError) || error.code !== "not_found")
        throw error;
      const draft = await videos.get(idOrSlug, viewer);
      onDraft(draft);
      return draft;
    }
  }

  return (viewer, onDraft) => ({
    publicSettings: () => settings.getPublic(),
    listVideos: (query) => lists.list(query, visitor),
    getVideo: (idOrSlug) => getVideo(idOrSlug, viewer, onDraft),
    getPrivateVideo: (secret) => privateLinks.get(secret),
    listRelated: (idOrSlug) => related.list(idOrSlug, viewer),
    trendingStats: (range) => trending.stats(range),
    listLabel: (kind) => labels.list(kind, false),
    getLabel: (kind, slug) => labels.get(kind, slug, false),
    feedHead: (slug) => feed.head(slug),
    getSitePage: (name) => getShownPage({ settings, ownPages }, name),
    listComments: (slug, cursor) => {
      const { data } = commentQuery.safeParse({ cursor: cursor ?? undefined });
      return moderation.comments.list(slug, data?.cursor ?? null);
    },
    privacyFacts: () => privacy.describe(),
    takedownLog: () => moderation.newReports.listLog(),
  });
}

export function createServerPageApi(deps: {
  ads: AdsFeature;
  settings: SettingsService;
  transcripts: TranscriptsService;
}): ServerPageApi {
  return {
    adSlots: () => deps.ads.listSlots(),
    theme: () => deps.settings.current(),
    transcriptStart: (video, language) => deps.transcripts.findStart(video, language),
    passView: () => null,
  };
}

import { createDoctorFeature } from "./doctor/doctor.feature.ts";
import { createStatisticsFeature } from "./features/statistics/statistics.feature.ts";
import { createAdsFeature } from "#ads/server/ads.feature.ts";
import { createAuditFeature } from "./features/audit/audit.feature.ts";
import { createAuthFeature } from "./features/auth/auth.feature.ts";
import { createBulkFeature } from "./features/bulk/bulk.feature.ts";
import { createLabelsFeature } from "./features/labels/labels.feature.ts";
import { createMediaRedirectsFeature } from "./features/media-redirects/media-redirects.feature.ts";
import { createDiscoveryFeature } from "./features/discovery/discovery.feature.ts";
import { createEngagementFeature } from "./features/engagement/engagement.feature.ts";
import { createImportExportFeature } from "./features/import-export/import-export.feature.ts";
import { createFeedFeature } from "./features/feed/feed.feature.ts";
import { createClipsFeature } from "./features/clips/clips.feature.ts";
import { createCaptionsFeature } from "./features/captions/captions.feature.ts";
import { createVideosFeature } from "./features/videos/videos.feature.ts";
import { createModerationFeature } from "./features/moderation/moderation.feature.ts";
import { createPodcastsFeature } from "./features/podcasts/podcasts.feature.ts";
import { createPassesFeature } from "./features/passes/passes.feature.ts";
import { createPrivacyFeature } from "./features/privacy/privacy.feature.ts";
import { createProcessingFeature } from "./features/processing/processing.feature.ts";
import { createReferralsFeature } from "./features/referrals/referrals.feature.ts";
import { createRelatedFeature } from "./features/related/related.feature.ts";
import { createRestrictionsFeature } from "./features/restrictions/restrictions.feature.ts";
import { createSearchFeature } from "./features/search/search.feature.ts";
import { createSettingsFeature } from "./features/settings/settings.feature.ts";
import { createSourceCodeFeature } from "./features/source-code/source-code.feature.ts";
import { createDeviceTransferFeature } from "./features/device-transfer/device-transfer.feature.ts";
import { createTrendingFeature } from "./features/trending/trending.feature.ts";
import { createUploadsFeature } from "./features/uploads/uploads.feature.ts";
import { createWebhooksFeature } from "./features/webhooks/webhooks.feature.ts";
import type { Feature } from "./http/app.ts";
import { createRequeueJob, traceJob } from "./jobs/queue.ts";
import { startPlatform, type PlatformOptions } from "./platform.ts";

/** Time in ms for running responses after a stop. Players resume interrupted ones. */
const downloadsStopMs = 1000;

/**
 * Composes the features in the order of their dependencies.
 * @returns the platform, the services that are used outside the features, and the features.
 */
export async function createContext(options: PlatformOptions) {
  const platform = await startPlatform(options);
  const { config, http } = platform;

  const features: Feature[] = [];
  const add = <F extends Feature>(feature: F): F => {
    features.push(feature);
    return feature;
  };

  add(createAuditFeature(platform));
  add(createSourceCodeFeature());
  const { settings, ownTexts, ownPages } = add(
    createSettingsFeature({
      ...platform,
      configuredSiteUrl: config.siteUrl,
      configuredMediaBytesPerHour: config.mediaBytesPerHour,
      hasImportFolder: config.importDir !== null,
    }),
  );
  const { sendSoon } = add(createWebhooksFeature({ ...platform, settings }));
  const findPort = () => {
    const address = http.app.server.address();
    return typeof address === "object" && address !== null ? address.port : null;
  };
  const { auth } = add(createAuthFeature({ ...platform, settings, findPort }));
  const { labels } = add(createLabelsFeature(platform));
  const { search } = add(createSearchFeature(platform));
  const library = add(createVideosFeature({ ...platform, labels, search, settings }));
  const { videos, mediaAccess, privateLinks, lists, skeletons, createPipeline } = library;
  const captions = add(createCaptionsFeature({ ...platform, ...library }));
  const { restrictions } = add(createRestrictionsFeature({ ...platform, settings }));
  const { membership, passes } = add(
    createPassesFeature({ ...platform, ...captions, settings, videos, sendSoon }),
  );
  const { findRedirect } = add(createMediaRedirectsFeature(platform));
  const { podcasts } = add(
    createPodcastsFeature({ ...platform, ...library, labels, settings, restrictions }),
  );
  const { related } = add(createRelatedFeature({ ...platform, videos, skeletons, createPipeline }));
  const moderation = add(
    createModerationFeature({
      ...platform,
      videos,
      privateLinks,
      settings,
      listStaffNames: auth.accounts.listStaffNames,
      onReport: sendSoon,
    }),
  );
  const { blockedFiles } = moderation;
  const { clips } = add(
    createClipsFeature({ ...platform, ...library, ...captions, labels, blockedFiles }),
  );
  const { ingest } = add(createUploadsFeature({ ...platform, ...library, blockedFiles }));
  add(
    createProcessingFeature({
      ...platform,
      ...library,
      ...captions,
      blockedFiles,
      settings,
    }),
  );
  const { referrals } = add(createReferralsFeature(platform));
  const { watches } = add(
    createEngagementFeature({
      ...platform,
      videos,
      settings,
      createPipeline,
      onViews: referrals.recordPlays,
    }),
  );
  const { trending } = add(createTrendingFeature({ ...platform, videos }));
  const { feed } = add(
    createFeedFeature({ ...platform, videos, createPipeline, membership, settings }),
  );
  const ads = add(createAdsFeature({ ...platform, settings }));
  add(createDeviceTransferFeature(platform));
  const { siteImports, oldAddresses, watchedFolder } = add(
    createImportExportFeature({
      ...platform,
      ...library,
      ...captions,
      labels,
      settings,
      ingest,
      referrals,
      ads: ads.ads,
    }),
  );
  const { privacy } = add(createPrivacyFeature({ ...platform, settings, ads, membership }));
  add(createDiscoveryFeature({ ...platform, settings, ownPages, videos, lists, labels, podcasts }));
  add(createBulkFeature({ ...platform, labels, skeletons }));
  add(createStatisticsFeature({ ...platform, auth }));
  add(createDoctorFeature(platform));

  for (const feature of features) {
    await feature.start?.();
    platform.changeEvents.onChange((changes) => feature.invalidate?.(changes));
  }

  const { tracing } = platform;
  const requeueJob = createRequeueJob(features.flatMap(({ requeue }) => requeue ?? []));
  const jobs = [...features.flatMap((feature) => feature.jobs ?? []), requeueJob];
  return {
    ...platform,
    auth,
    settings,
    ownTexts,
    ownPages,
    labels,
    videos,
    lists,
    related,
    mediaAccess,
    privateLinks,
    transcripts: captions.transcripts,
    findRedirect,
    ingest,
    captions: captions.captions,
    clips,
    siteImports,
    oldAddresses,
    watchedFolder,
    watches,
    referrals,
    trending,
    feed,
    ads,
    moderation,
    privacy,
    restrictions,
    podcasts,
    membership,
    passes,
    features,
    jobs: tracing === null ? jobs : jobs.map(traceJob(tracing)),
    /** Sends open responses, then ends jobs within `timeoutMs`, and closes the database. */
    async stop(timeoutMs: number) {
      const cut = setTimeout(
        () => http.app.server.closeAllConnections(),
        Math.max(downloadsStopMs, config.drainS * 1000),
      );
      await http.close();
      clearTimeout(cut);
      for (const feature of features) await feature.drain?.();
      await platform.stop(timeoutMs);
    },
  };
}

export type Context = Awaited<ReturnType<typeof createContext>>;

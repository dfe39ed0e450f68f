import { expect, test } from "vitest";
import { findBrokenRule } from "./import-rules.ts";

const server = "src/server";
const features = `${server}/features`;

test.each([
  [`${server}/lib/x.ts`, `${server}/db/connection.ts`],
  [`${server}/db/x.ts`, `${server}/storage/storage.ts`],
  [`${server}/storage/x.ts`, `${server}/db/connection.ts`],
  [`${server}/media/plan/x.ts`, `${server}/media/probe/probe.ts`],
  ["src/ads/server/delivery/x.ts", "src/ads/server/campaigns/campaigns.service.ts"],
  [`${features}/videos/files/x.ts`, `${features}/videos/replacements/replacements.service.ts`],
  ["src/ads/web/vast/x.ts", "src/ads/web/video/ad-icons.ts"],
  ["src/ads/admin/ads/x.tsx", "src/ads/admin/campaigns/calls.ts"],
  ["src/web/features/player/core/x.ts", "src/web/features/player/components/player.tsx"],
  [`${server}/jobs/x.ts`, `${features}/videos/videos.service.ts`],
  [`${server}/http/x.ts`, `${features}/auth/auth.service.ts`],
  [`${server}/http/x.ts`, `${server}/context.ts`],
  [`${features}/ads/ads.feature.ts`, `${server}/site/pages.routes.ts`],
  [`${features}/trending/trending.service.ts`, `${features}/videos/videos.repository.ts`],
  [`${features}/labels/labels.service.ts`, `${features}/videos/videos.service.ts`],
  [`${server}/lib/x.ts`, "src/web/lib/format.ts"],
  [`${server}/lib/x.ts`, "test/database.ts"],
  [`${features}/videos/x.ts`, "node:child_process"],
  ["src/web/lib/x.ts", `${server}/lib/ids.ts`],
  ["src/web/lib/x.ts", "node:fs"],
  ["src/web/lib/x.ts", "src/web/components/ui/button.tsx"],
  ["src/web/components/ui/x.tsx", "src/web/features/home/home-page.tsx"],
  ["src/web/features/home/x.tsx", "src/web/app/routes.tsx"],
  ["src/web/features/home/x.tsx", "src/web/features/video/video-page.tsx"],
  ["src/contract/x.ts", `${server}/lib/ids.ts`],
  ["src/ads/web/x.ts", "src/ads/server/ads.feature.ts"],
  ["src/ads/server/x.ts", `${features}/privacy/privacy.feature.ts`],
  [`${features}/labels/x.ts`, "src/ads/server/ads.feature.ts"],
  [`${features}/privacy/x.ts`, "src/ads/server/delivery/draw-request.ts"],
  ["src/web/features/feed/x.ts", "src/ads/web/core/page-ads.ts"],
])("forbids %s to import %s", (from, to) => {
  expect(findBrokenRule({ from, to })).toEqual(expect.any(String));
});

test.each([
  [`${server}/media/x.ts`, `${server}/storage/storage.ts`],
  [`${server}/media/plan/x.ts`, `${server}/media/facts/media-facts.ts`],
  ["src/ads/server/delivery/x.ts", "src/ads/server/serves/serve-token.ts"],
  ["src/ads/server/ads.feature.ts", "src/ads/server/frame/frame.routes.ts"],
  [`${features}/ads/ads.service.ts`, `${server}/http/app.ts`],
  [`${features}/trending/x.ts`, `${features}/videos/videos.service.ts`],
  [`${server}/site/x.ts`, `${features}/videos/videos.service.ts`],
  [`${server}/context.ts`, `${features}/ads/ads.feature.ts`],
  [`${server}/db/engine/x.ts`, "node:child_process"],
  ["src/web/features/home/x.tsx", "src/web/features/player/player.tsx"],
  ["src/web/app/routes.tsx", "src/web/features/home/home-page.tsx"],
  ["src/web/lib/x.ts", "src/contract/videos/videos.ts"],
  ["src/contract/x.ts", "zod"],
  ["src/ads/web/x.ts", "src/web/features/player/core/player.ts"],
  ["src/ads/admin/x.tsx", "src/web/features/admin/shared/modal-form.tsx"],
  [`${features}/privacy/x.ts`, "src/ads/server/ads.feature.ts"],
  ["src/web/features/feed/x.ts", "src/ads/web/feed-ad.tsx"],
  [`${server}/lib/x.test.ts`, "test/database.ts"],
])("allows %s to import %s", (from, to) => {
  expect(findBrokenRule({ from, to })).toBeNull();
});

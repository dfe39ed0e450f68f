import { expect, test } from "vitest";
import { findBrokenRule } from "./import-rules.ts";

const server = "src/server";
const features = `${server}/features`;

test.each([
  [`${server}/lib/x.ts`, `${server}/db/connection.ts`],
  [`${server}/db/x.ts`, `${server}/storage/storage.ts`],
  [`${server}/storage/x.ts`, `${server}/db/connection.ts`],
  [`${server}/media/x.ts`, `${server}/jobs/queue.ts`],
  [`${server}/jobs/x.ts`, `${features}/videos/videos.service.ts`],
  [`${server}/http/x.ts`, `${features}/auth/auth.service.ts`],
  [`${server}/http/x.routes.ts`, `${features}/auth/auth.service.ts`],
  [`${server}/http/x.ts`, `${server}/site/pages.routes.ts`],
  [`${server}/http/x.ts`, `${server}/context.ts`],
  [`${features}/ads/ads.feature.ts`, `${server}/site/pages.routes.ts`],
  [`${features}/ads/ads.feature.ts`, `${server}/context.ts`],
  [`${features}/trending/trending.service.ts`, `${features}/videos/videos.repository.ts`],
  [`${features}/labels/labels.service.ts`, `${features}/videos/videos.service.ts`],
  [`${server}/site/x.ts`, `${features}/videos/videos.repository.ts`],
  [`${server}/context.ts`, `${features}/ads/ads.repository.ts`],
  [`${server}/lib/x.ts`, "src/web/lib/format.ts"],
  [`${server}/lib/x.ts`, "test/database.ts"],
  [`${server}/main.ts`, "demo/seed-demo.ts"],
  [`${features}/videos/x.ts`, "node:child_process"],
  ["src/web/lib/x.ts", `${server}/lib/ids.ts`],
  ["src/web/lib/x.ts", "node:fs"],
  ["src/web/lib/x.ts", "kysely"],
  ["src/web/lib/x.ts", "src/web/components/ui/button.tsx"],
  ["src/web/components/ui/x.tsx", "src/web/features/home/home-page.tsx"],
  ["src/web/features/home/x.tsx", "src/web/app/routes.tsx"],
  ["src/web/features/home/x.tsx", "src/web/features/video/video-page.tsx"],
  ["src/contract/x.ts", `${server}/lib/ids.ts`],
  ["src/ads/contract/x.ts", `${server}/lib/ids.ts`],
  ["src/ads/web/x.ts", "src/ads/server/ads.feature.ts"],
  ["src/ads/web/x.ts", "src/ads/admin/routes.tsx"],
  ["src/ads/server/x.ts", `${features}/privacy/privacy.feature.ts`],
  [`${features}/labels/x.ts`, "src/ads/server/ads.feature.ts"],
  [`${features}/privacy/x.ts`, "src/ads/server/delivery/draw-ads.ts"],
  ["src/web/features/feed/x.ts", "src/ads/web/core/page-ads.ts"],
  ["src/web/lib/x.ts", "src/ads/web/ad-slot.tsx"],
  ["src/contract/x.ts", "src/web/lib/format.ts"],
  ["src/contract/x.ts", "kysely"],
])("%s may not import %s", (from, to) => {
  expect(findBrokenRule({ from, to })).toEqual(expect.any(String));
});

test.each([
  [`${server}/lib/app-error.ts`, "src/contract/errors.ts"],
  [`${server}/media/x.ts`, `${server}/storage/storage.ts`],
  [`${features}/ads/ads.routes.ts`, `${server}/http/app.ts`],
  [`${features}/ads/ads.service.ts`, `${server}/http/app.ts`],
  [`${features}/ads/ads.service.ts`, `${features}/ads/ads.repository.ts`],
  [`${features}/trending/x.ts`, `${features}/videos/videos.service.ts`],
  [`${server}/site/x.ts`, `${features}/videos/videos.service.ts`],
  [`${server}/context.ts`, `${features}/ads/ads.feature.ts`],
  [`${server}/main.ts`, `${server}/http/app.ts`],
  [`${server}/db/engine/x.ts`, "node:child_process"],
  [`${server}/http/x.ts`, "fastify"],
  ["src/web/features/home/x.tsx", "src/web/features/player/player.tsx"],
  ["src/web/features/home/x.tsx", "src/web/components/ui/button.tsx"],
  ["src/web/app/routes.tsx", "src/web/features/home/home-page.tsx"],
  ["src/web/lib/x.ts", "src/contract/videos/videos.ts"],
  ["src/contract/x.ts", "zod"],
  ["src/ads/server/x.ts", "src/ads/contract/ads.ts"],
  ["src/ads/server/x.repository.ts", "kysely"],
  ["src/ads/web/x.ts", "src/web/features/player/core/player.ts"],
  ["src/ads/admin/x.tsx", "src/ads/web/core/page-ads.ts"],
  ["src/ads/admin/x.tsx", "src/web/features/admin/shared/modal-form.tsx"],
  [`${features}/privacy/x.ts`, "src/ads/server/ads.feature.ts"],
  ["src/web/features/feed/x.ts", "src/ads/web/feed-ad.tsx"],
  ["src/web/lib/x.ts", "src/ads/contract/ads.ts"],
  [`${server}/lib/x.test.ts`, "test/database.ts"],
])("%s may import %s", (from, to) => {
  expect(findBrokenRule({ from, to })).toBeNull();
});

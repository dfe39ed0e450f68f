import { screen } from "@testing-library/react";
import type { Video } from "#contract/videos/videos.ts";
import type { Reply } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";

/** Call of the list without filters. */
export const list = "GET /api/videos";

export const listOf = (videos: Video[], total = videos.length) => ({
  videos,
  total,
  nextCursor: null,
});

/** Opens the page of all videos with these videos. */
export const openVideos = (
  videos: Video[],
  replies: Record<string, Reply> = {},
  path = "/admin/videos",
) =>
  openAdminPage(path, {
    [list]: listOf(videos),
    "GET /api/categories": [],
    "GET /api/tags": [],
    "GET /api/actors": [],
    "GET /api/admin/bulk": [],
    ...replies,
  });

export const rowOf = (title: string) => screen.findByRole("row", { name: new RegExp(title) });
export const hasDialog = () => screen.queryByRole("dialog") !== null;

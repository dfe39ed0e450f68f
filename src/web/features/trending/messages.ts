import type { TimeRange } from "#contract/limits.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

export const trendingMessages = inLanguage("trending", {
  title: "Trending",
  intro: "What people are watching and liking most.",
  range: "Time range",
  tiles: "Stats",
  videos: "Videos",
  views: "Views",
  likes: "Likes",
  topVideo: "Top Video",
  noData: "No data",
  up: "up",
  down: "down",
  listLabel: "Trending videos",
  statsFailed: "Couldn't load the stats.",
});

export const rangeLabels = inLanguage("ranges", {
  today: { label: "Today", hint: "Last 24 hours" },
  week: { label: "This Week", hint: "Last 7 days" },
  month: { label: "This Month", hint: "Last 30 days" },
  all: { label: "All Time", hint: "Most viewed ever" },
} satisfies Record<TimeRange, { label: string; hint: string }>);

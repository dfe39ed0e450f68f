import type { ImportJob, ImportKind } from "#contract/videos/imports.ts";

export const kindNames: Record<ImportKind, string> = {
  videos: "Videos",
  categories: "Categories",
  tags: "Tags",
  actors: "Actors",
  ads: "Ads",
  referrals: "Referrals",
  site: "Another site",
};

export const stateNames: Record<ImportJob["state"], string> = {
  draft: "Not checked yet",
  checking: "Checking",
  checked: "Checked",
  running: "Importing",
  done: "Done",
  cancelled: "Cancelled",
  failed: "Failed",
};

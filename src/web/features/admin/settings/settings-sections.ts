import { settingsMessages as messages } from "./messages.ts";
import type { SettingsForm } from "./settings-form.ts";

/** Form whose fields are saved together. */
export interface SettingsSection {
  /** Headings in the form. The first one is its name. */
  titles: readonly string[];
  fields: readonly (keyof SettingsForm)[];
  /** Labels and hints that the search looks in. */
  words: readonly string[];
}

export const settingsSections = {
  general: {
    titles: ["Basic Information", "Branding"],
    fields: [
      ...(["siteName", "siteDescription", "siteUrl", "language"] as const),
      ...(["logoUrl", "faviconUrl", "accentColor"] as const),
      ...(["groundColor", "cornerRadius", "font"] as const),
    ],
    words: [
      ...[messages.siteName, messages.siteDescription, messages.siteUrl, messages.language],
      ...[messages.languageHint, messages.logoUrl, messages.faviconUrl, messages.accent],
      ...[messages.ground, messages.groundHint, messages.cornerRadius, messages.font],
    ],
  },
  browsing: {
    titles: ["Browsing"],
    fields: ["filterCategories", "browseListings", "pinnedLabels"],
    words: [
      ...[messages.filterCategories, messages.filterCategoriesHint, messages.browseListings],
      ...[messages.pinnedLabels, messages.pinnedLabelsHint],
    ],
  },
  playing: {
    titles: ["Playing"],
    fields: ["evenLoudness", "replayPeak"],
    words: [
      ...[messages.evenLoudness, messages.evenLoudnessHint],
      ...[messages.replayPeak, messages.replayPeakHint],
    ],
  },
  embedding: {
    titles: ["Embedding"],
    fields: ["embedding", "embedOrigins", "adsInEmbeds"],
    words: [
      ...[messages.embedding, messages.embeddingHint, ...Object.values(messages.embeddings)],
      ...[messages.embedOrigins, messages.embedOriginsHint],
      ...[messages.adsInEmbeds, messages.adsInEmbedsHint],
    ],
  },
  podcasts: {
    titles: [messages.podcasts],
    fields: ["podcast", "podcastCategory", "podcastEmail"],
    words: [
      ...["RSS", "iTunes", "Apple", messages.podcast, messages.podcastHint],
      ...[messages.podcastCategory, messages.podcastCategoryHint],
      ...[messages.podcastEmail, messages.podcastEmailHint],
    ],
  },
  members: {
    titles: [messages.members],
    fields: ["premiumAccess", "membersText", "membersUrl", "membersInFeed"],
    words: [
      ...[messages.premiumAccess, messages.premiumAccessHint, messages.membersOnlyHint],
      ...[...Object.values(messages.premiumAccesses), messages.membersText],
      ...[messages.membersTextHint, messages.membersUrl, messages.membersUrlHint],
      ...[messages.membersInFeed, messages.membersInFeedHint],
    ],
  },
  watching: {
    titles: [messages.watching],
    fields: ["watchFolder", "watchPublishes", "watchRestS"],
    words: [
      ...["IMPORT_DIR", "hot folder", messages.watchFolder, messages.watchFolderHint],
      ...[messages.watchPublishes, messages.watchPublishesHint],
      ...[messages.watchRest, messages.watchRestHint],
    ],
  },
  originals: {
    titles: [messages.originals],
    fields: ["keepOriginals", "efficientRenditions"],
    words: [messages.keepOriginals, messages.keepOriginalsHint, messages.efficient],
  },
  trash: {
    titles: ["Trash"],
    fields: ["trashDays"],
    words: [messages.trashDays, messages.trashDaysHint],
  },
  ads: {
    titles: ["Advertising"],
    fields: [
      ...(["midrollTimes", "prerollMinVideoS", "breakGapS", "midrollEveryMin"] as const),
      ...(["podMaxS", "timeZone", "adOrigins", "adsTxt", "appAdsTxt", "sellersJson"] as const),
    ],
    words: [
      ...[messages.midrolls, messages.prerollMinVideo, messages.breakGap, messages.midrollEvery],
      ...[
        messages.podMax,
        messages.timeZone,
        messages.adOrigins,
        "/ads.txt",
        "/app-ads.txt",
        "/sellers.json",
      ],
    ],
  },
  protection: {
    titles: [messages.protection],
    fields: [
      ...(["crawlSearch", "crawlAi", "crawlOthers"] as const),
      ...(["mediaOnOtherSites", "mediaWithoutOrigin", "mediaBytesPerHour"] as const),
    ],
    words: [
      ...["robots.txt", "hotlinks", messages.crawlSearch, messages.crawlSearchHint],
      ...[messages.crawlAi, messages.crawlAiHint, messages.crawlOthers, messages.crawlOthersHint],
      ...[messages.mediaOnOtherSites, messages.mediaOnOtherSitesHint],
      ...[messages.mediaWithoutOrigin, messages.mediaWithoutOriginHint],
      ...["bandwidth", "traffic", messages.mediaBytesPerHour, messages.mediaBytesPerHourHint],
    ],
  },
  pages: {
    titles: ["Pages"],
    fields: ["terms", "privacy", "contact"],
    words: [messages.pagesHint, messages.terms, messages.privacy, messages.contact],
  },
  legal: {
    titles: ["Legal"],
    fields: ["sourceUrl", "securityContact"],
    words: [
      ...[messages.sourceUrl, messages.sourceHint],
      ...[messages.securityContact, messages.securityHint],
    ],
  },
} as const satisfies Record<string, SettingsSection>;

export type SectionName = keyof typeof settingsSections;

export const sectionNames = Object.keys(settingsSections) as SectionName[];

/** Returns the sections whose headings, labels or hints contain all words of the search. */
export function findSections(search: string): SectionName[] {
  const wanted = search.toLowerCase().split(/\s+/);
  return sectionNames.filter((name) => {
    const { titles, words }: SettingsSection = settingsSections[name];
    const text = [...titles, ...words].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

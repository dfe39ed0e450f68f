/** Texts of Site Settings. */
export const settingsMessages = {
  siteName: "Site Name",
  siteDescription: "Site Description",
  siteUrl: "Site URL",
  language: "Language",
  languageHint:
    "Used for URLs without a language. Visitors see their browser's language and can switch",
  logoUrl: "Logo URL",
  faviconUrl: "Favicon URL",
  upload: { logo: "Upload logo", favicon: "Upload favicon" },
  accent: "Accent colour",
  themes: { dark: "Dark", light: "Light" },
  originals: "Originals and renditions",
  keepOriginals: "Keep original files",
  keepOriginalsHint:
    "When off, the original of each new video is deleted once its renditions are ready. You can't download it or reprocess the video afterwards",
  efficient: "Efficient renditions (AV1)",
  efficientModes: { off: "Off", idle: "When the queue is empty" },
  trashDays: "Days to keep deleted videos",
  trashDaysHint: "How long you can restore a deleted video. Enter 0 to delete files immediately.",
  filterCategories: "Filter Categories",
  filterCategoriesHint:
    "Shown in the filter bar after All. Separate multiple categories with commas",
  browseListings: "List content on browse pages",
  evenLoudness: "Play all videos at the same loudness",
  evenLoudnessHint: "Adjusts audio to -14 LUFS. When off, videos keep their original loudness",
  embedding: "Who may embed videos",
  embeddingHint:
    "Other sites show videos in a frame. A video can have a rule of its own. Frames on this site always work",
  embeddings: { any: "Any site", listed: "Only listed sites", nobody: "Nobody" },
  embedOrigins: "Sites that may embed videos",
  embedOriginsHint: "One per line: https://example.org, or *.example.org for all its subdomains",
  midrolls: "Mid-roll times",
  prerollMinVideo: "Skip pre-roll in videos shorter than",
  breakGap: "Minimum time between ad breaks",
  timeZone: "Time zone of ads",
  podMax: "Maximum length of an ad break",
  midrollEvery: "Mid-roll interval",
  adOrigins: "Allowed origins for ad scripts and frames",
  sellerFile: (path: string) => `${path} contents`,
  pagesHint: "Markdown. Pages with text get a URL and a link in the footer",
  terms: "Terms",
  privacy: "Privacy",
  contact: "Contact",
  protection: "Crawlers and hotlinks",
  crawlSearch: "Allow search engines",
  crawlSearchHint: "When off, robots.txt asks their crawlers not to come",
  crawlAi: "Allow AI training crawlers",
  crawlAiHint:
    "When off, robots.txt asks them not to come, and pages and media are marked noai. Most obey, but nothing forces them",
  crawlOthers: "Allow other crawlers",
  crawlOthersHint: "Includes services that show previews of shared links",
  mediaOnOtherSites: "Allow other sites to link media files",
  mediaOnOtherSitesHint:
    "When off, browsers don't play this site's files on pages of other sites. Embeds, pictures and downloads still work. Files that a bucket or CDN serves aren't protected",
  mediaWithoutOrigin: "Serve media to apps that name no site",
  mediaWithoutOriginHint:
    "Only matters when other sites may not link media. When off, podcast apps, casting, downloaders and old browsers are refused",
  mediaBytesPerHour: "Hourly media budget in GB",
  mediaBytesPerHourHint:
    "What one group of 256 neighbouring addresses may receive. Above it, players wait and continue by themselves. Leave empty for no limit, or for the one in MEDIA_BYTES_PER_HOUR. Bytes that a bucket, a CDN or nginx sends aren't counted: use signed URLs there",
  sourceUrl: "Source code URL",
  sourceHint:
    "Where visitors can get this site's source code (AGPL section 13). Leave empty to offer it at /source",
  securityContact: "Security contact",
  securityHint:
    "Where to report vulnerabilities: a mailto: address or HTTPS URL. Leave empty for no security.txt",
} as const;

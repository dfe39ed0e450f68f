import type { ProtectionSettings } from "#server/features/settings/settings.service.ts";

/** Crawlers of search engines, as their operators document them. Checked on 28 November 2026. */
const searchCrawlers = [
  ...["Googlebot", "Googlebot-Image", "Googlebot-Video", "Bingbot", "DuckDuckBot", "Applebot"],
  ...["YandexBot", "YandexVideo", "YandexImages", "Baiduspider", "Yeti", "SeznamBot", "Qwantbot"],
  ...["MojeekBot", "Bravebot", "Slurp"],
];

/**
 * Crawlers whose operators say that they train AI models, and names that search engines offer to
 * refuse such use. Assistants that open a page for their user are not among them. Checked on 28
 * November 2026 against the operators' pages and the public list ai-robots-txt/ai.robots.txt.
 */
const aiCrawlers = [
  ...["AI2Bot", "Ai2Bot-Dolma", "Amazonbot", "anthropic-ai", "Applebot-Extended", "Bytespider"],
  ...["CCBot", "ChatGLM-Spider", "ClaudeBot", "CloudVertexBot", "cohere-ai"],
  ...["cohere-training-data-crawler", "Cotoyogi", "DeepSeekBot", "Diffbot", "FacebookBot"],
  ...["Google-CloudVertexBot", "Google-Extended", "GPTBot", "ICC-Crawler", "ImagesiftBot"],
  ...["img2dataset", "Kangaroo Bot", "laion-huggingface-processor", "LAIONDownloader"],
  ...["meta-externalagent", "omgili", "omgilibot", "PanguBot", "SBIntuitionsBot", "TikTokSpider"],
  ...["Timpibot", "VelenPublicWebCrawler", "Webzio-Extended"],
];

/** Rules for welcome crawlers. They may fetch everything that visitors see, including media files. */
const openRules = [
  "Allow: /api/oembed",
  ...["/admin", "/auth", "/setup", "/favorites", "/library", "/pass", "/api/"].map(
    (path) => `Disallow: ${path}`,
  ),
];

/** Returns the text of robots.txt (RFC 9309). A crawler follows only the group that names it. */
export function robotsText(
  siteUrl: string,
  { crawlSearch, crawlAi, crawlOthers }: ProtectionSettings,
): string {
  const group = (names: readonly string[], isOpen: boolean) => [
    ...names.map((name) => `User-agent: ${name}`),
    ...(isOpen ? openRules : ["Disallow: /"]),
    "",
  ];
  return [
    ...(crawlSearch === crawlOthers ? [] : group(searchCrawlers, crawlSearch)),
    ...(crawlAi === crawlOthers ? [] : group(aiCrawlers, crawlAi)),
    ...group(["*"], crawlOthers),
    `Sitemap: ${siteUrl}/sitemap.xml`,
    "",
  ].join("\n");
}

/** `X-Robots-Tag` of a site that doesn't want its content in the training data of AI models. */
export const noAi = "noai, noimageai";

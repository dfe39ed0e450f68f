/** Matches programs that fetch pages without a user. They are counted separately from visitors. */
const robot =
  /bot\b|bot[/;) ]|crawl|spider|slurp|headless|phantom|puppeteer|playwright|selenium|curl\/|wget|python|java\/|go-http|okhttp|axios|node-fetch|undici|libwww|scrapy|facebookexternalhit|preview|monitor|pingdom|lighthouse/i;

export function looksLikeRobot(userAgent: string | undefined): boolean {
  return userAgent === undefined || userAgent.length < 20 || robot.test(userAgent);
}

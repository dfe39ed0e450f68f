import { videoHref } from "./card-video.ts";

/**
 * Returns the URL of a video as a part of a series, which then leads on its page. Apart from
 * `videoHref`, because the feed has no series.
 * @param series key of the series (`seriesKey`).
 */
export const partHref = (slug: string, series: string): string =>
  `${videoHref(slug)}?in=${encodeURIComponent(series)}`;

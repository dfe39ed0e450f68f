import type { TimeRange } from "#contract/limits.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

export const trendingMessages = inLanguage("trending");

export const rangeLabels = inLanguage("ranges") satisfies Record<TimeRange, object>;
